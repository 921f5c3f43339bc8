// Calls the row sum with a tensor that the emitted adapter has packed, and unpacks it again.
#include <stdio.h>
#include <string.h>

#include "row_sum.h"

int main(void) {
    static float a[5 * 27], packed[5 * 7 * 4], back[5 * 27], sums[5];
    for (int k = 0; k < 5 * 27; ++k) a[k] = (float)(k % 27);
    row_sum_pack_A(a, packed);
    row_sum(packed, sums);
    row_sum_unpack_A(packed, back);
    printf("the last row adds up to %g; unpacked: %s\n", sums[4],
           memcmp(a, back, sizeof a) == 0 ? "same bits" : "other bits");
    return 0;
}
