#include <stdio.h>

float step(float left, float right);

int main(void)
{
    printf("%s %g\n", BACKEND, step(1, 3));
    return 0;
}
