float step(float left, float right);

float step(float left, float right)
{
    return (left + right) / 2;
}
