// Calls the lowered convolution: packs the samples, runs it, unpacks the results.
#include <stdio.h>

#include "conv.h"

int main(void) {
    static float x[30], w[3] = {1, 2, 3}, y[30];  // as the caller knows them
    static float x_row[1 * 40], y_rows[4 * 8];    // as the library wants them
    for (int i = 0; i < 30; ++i) x[i] = (float)(i + 1);
    conv_pack_X(x, x_row);
    const int32_t code = conv(x_row, w, y_rows);
    if (code != 0) {
        fprintf(stderr, "conv: %s\n", conv_message(code));
        return 1;
    }
    conv_unpack_Y(y_rows, y);
    printf("first %g, second %g, last %g\n", y[0], y[1], y[29]);
    return 0;
}
