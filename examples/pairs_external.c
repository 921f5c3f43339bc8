// The external function of pairs_external.sch.py, and a caller of the program.
#include <stdio.h>

#include "pairs.h"

void twice2(float* y, const float* x) {
    for (int k = 0; k < 2; ++k) y[k] = x[k] * 2;
}

int main(void) {
    const float a[6] = {1, 2, 3, 4, 5, 6};
    float b[6];
    if (pairs(a, b) != 0) return 1;
    for (int i = 0; i < 6; ++i) printf("%g\n", b[i]);
    return 0;
}
