// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Decimal text to double and back, exact both ways.
//
// Reading: up to 19 digits go into one word w; w 10^e is bounded from both sides with 128-bit powers of ten.
// If both bounds round to the same double that is the answer, else big integers compare the text with the
// midpoint.
//
// Writing: R. Giulietti, "The Schubfach way to render doubles": of all decimals that read back as the value
// the shortest, and of those the nearest.
#include "number.h"

#include "number_table.h"

#include <string.h>

#define MAX_DIGITS 800 // a midpoint between doubles has at most 768 significant digits
#define BIG_WORDS 160

static uint64_t MulHigh(uint64_t a, uint64_t b, uint64_t* low)
{
#if defined(__SIZEOF_INT128__)
    __extension__ typedef unsigned __int128 Wide;
    Wide product = (Wide)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
    uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, p11 = a1 * b1;
    uint64_t middle = (p00 >> 32) + (p01 & 0xffffffffu) + (p10 & 0xffffffffu);
    *low = (middle << 32) | (p00 & 0xffffffffu);
    return p11 + (p01 >> 32) + (p10 >> 32) + (middle >> 32);
#endif
}

/// floor(log2(10^e)) for |e| <= 1200.
static int FloorLog2OfPower(int e)
{
    return (int)(((int64_t)e * 1741647) >> 19);
}

static int CountLeadingZeros(uint64_t x)
{
    int count = 0;
    for (int step = 32; step > 0; step /= 2)
    {
        if ((x >> (64 - step)) == 0)
        {
            x <<= step;
            count += step;
        }
    }
    return count;
}

static double DoubleOfBits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// Reading.

/// A decimal as it stands in the text: digits d1 d2 ... dn of [digits, digitsEnd) without the point, times
/// 10^exponent.
typedef struct Decimal
{
    const char* digits; // first significant digit; a point may be among them
    const char* digitsEnd;
    int64_t exponent;
} Decimal;

typedef struct Big
{
    int count; // words in use, lowest first
    uint32_t words[BIG_WORDS];
} Big;

static void Big_MulAdd(Big* big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < big->count; ++i)
    {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
    {
        big->words[big->count++] = (uint32_t)carry;
    }
}

static void Big_MulPowerOfFive(Big* big, int exponent)
{
    for (; exponent >= 13; exponent -= 13)
    {
        Big_MulAdd(big, 1220703125u, 0);
    }
    for (; exponent > 0; --exponent)
    {
        Big_MulAdd(big, 5u, 0);
    }
}

static void Big_ShiftLeft(Big* big, int bits)
{
    int words = bits / 32, rest = bits % 32;
    if (big->count == 0)
    {
        return;
    }
    if (rest != 0)
    {
        Big_MulAdd(big, (uint32_t)1 << rest, 0);
    }
    memmove(big->words + words, big->words, (size_t)big->count * sizeof(uint32_t));
    memset(big->words, 0, (size_t)words * sizeof(uint32_t));
    big->count += words;
}

static int Big_Compare(const Big* a, const Big* b)
{
    if (a->count != b->count)
    {
        return a->count < b->count ? -1 : 1;
    }
    for (int i = a->count - 1; i >= 0; --i)
    {
        if (a->words[i] != b->words[i])
        {
            return a->words[i] < b->words[i] ? -1 : 1;
        }
    }
    return 0;
}

/// Compares the decimal with the midpoint between the double of `bits` and the next one away from zero.
static int CompareWithMidpoint(const Decimal* decimal, uint64_t bits)
{
    Big left = {0}, right = {0};
    int64_t exponent = decimal->exponent;
    int count = 0;
    bool sticky = false;
    for (const char* p = decimal->digits; p < decimal->digitsEnd; ++p)
    {
        if (*p == '.')
        {
            continue;
        }
        if (count < MAX_DIGITS)
        {
            Big_MulAdd(&left, 10u, (uint32_t)(*p - '0'));
            count += 1;
        }
        else
        {
            sticky = sticky || *p != '0';
            exponent += 1;
        }
    }
    if (sticky)
    {
        Big_MulAdd(&left, 10u, 1u);
        exponent -= 1;
    }

    int field = (int)(bits >> 52);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    mantissa = 2 * (field != 0 ? mantissa | UINT64_C(1) << 52 : mantissa) + 1;
    int binaryExponent = (field != 0 ? field : 1) - 1076;
    right.words[0] = (uint32_t)mantissa;
    right.words[1] = (uint32_t)(mantissa >> 32);
    right.count = right.words[1] != 0 ? 2 : 1;

    // left 10^exponent against right 2^binaryExponent, with all factors moved to where their exponents are
    // positive.
    int power = (int)exponent; // the caller ruled out what is far from the doubles
    int shift = binaryExponent - power;
    if (power >= 0)
    {
        Big_MulPowerOfFive(&left, power);
    }
    else
    {
        Big_MulPowerOfFive(&right, -power);
    }
    Big_ShiftLeft(shift >= 0 ? &right : &left, shift >= 0 ? shift : -shift);
    return Big_Compare(&left, &right);
}

/// Nearest double, ties to even, of a 192-bit number times 2^exponent; the number is not zero. As bits.
static uint64_t RoundWords(uint64_t high, uint64_t middle, uint64_t low, int exponent)
{
    int zeros = CountLeadingZeros(high); // 0 or 1
    if (zeros != 0)
    {
        high = (high << zeros) | (middle >> (64 - zeros));
        middle = (middle << zeros) | (low >> (64 - zeros));
        low <<= zeros;
    }
    int binary = exponent + 191 - zeros; // of the leading bit
    if (binary > 1023)
    {
        return UINT64_C(0x7ff) << 52;
    }
    int shift = binary < -1022 ? 11 + (-1022 - binary) : 11;
    if (shift > 64)
    {
        return 0;
    }
    uint64_t kept = shift == 64 ? 0 : high >> shift;
    uint64_t rest = shift == 64 ? high : high << (64 - shift); // dropped bits, highest first
    uint64_t half = UINT64_C(1) << 63;
    bool sticky = (middle | low) != 0;
    bool up = rest > half || (rest == half && (sticky || (kept & 1) != 0));
    uint64_t bits = binary < -1022 ? kept : ((uint64_t)(binary + 1022) << 52) + kept;
    return bits + (up ? 1 : 0); // a carry runs into the exponent, as it should
}

static uint64_t ConvertDecimal(const Decimal* decimal, uint64_t digits, int64_t exponent, bool truncated)
{
    if (digits == 0 || exponent < TD_LOWEST_POWER)
    {
        return 0; // at most 10^19 10^-343 < half of the least denormal
    }
    if (exponent > 308)
    {
        return UINT64_C(0x7ff) << 52;
    }
    int zeros = CountLeadingZeros(digits);
    uint64_t w = digits << zeros;
    const uint64_t* power = tdPowersOfTen[exponent - TD_LOWEST_POWER];
    uint64_t low, middle, crossLow;
    uint64_t high = MulHigh(w, power[0], &middle);
    uint64_t cross = MulHigh(w, power[1], &crossLow);
    low = crossLow;
    middle += cross;
    high += middle < cross;
    int binary = FloorLog2OfPower((int)exponent) - 127 - zeros;
    uint64_t lower = RoundWords(high, middle, low, binary);

    // The power was rounded down unless 5^e fits 128 bits; the digits were cut if there were more than 19.
    bool exactPower = exponent >= 0 && exponent <= 55;
    if (exactPower && !truncated)
    {
        return lower;
    }
    uint64_t addLow = exactPower ? 0 : w, addMiddle = 0, addHigh = 0;
    if (truncated)
    {
        // (w + ulp) (power + 1) is below w power + w + ulp (power + 1), ulp = 2^zeros.
        uint64_t ulp = UINT64_C(1) << zeros, part;
        addHigh = MulHigh(power[0], ulp, &part);
        addMiddle = MulHigh(power[1], ulp, &crossLow) + part;
        addHigh += addMiddle < part;
        addMiddle += 2; // more than what the low words can carry
        addHigh += addMiddle < 2;
    }
    low += addLow;
    uint64_t carry = low < addLow;
    middle += carry;
    carry = middle < carry;
    middle += addMiddle;
    carry += middle < addMiddle;
    uint64_t before = high;
    high += addHigh + carry;
    bool overflow = high < before;
    uint64_t upper = overflow ? lower + 1 : RoundWords(high, middle, low, binary);
    if (upper == lower)
    {
        return lower;
    }
    int order = CompareWithMidpoint(decimal, lower);
    return order > 0 || (order == 0 && (lower & 1) != 0) ? lower + 1 : lower;
}

static bool IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Reads an exponent at `p` ('e' or 'E'). Returns the end, or p when there is no complete one.
static const char* ReadExponent(const char* p, const char* end, int64_t* exponent)
{
    const char* q = p + 1;
    bool negative = false;
    if (q < end && (*q == '+' || *q == '-'))
    {
        negative = *q == '-';
        ++q;
    }
    if (q >= end || !IsDigit(*q))
    {
        return p;
    }
    int64_t value = 0;
    for (; q < end && IsDigit(*q); ++q)
    {
        value = value < INT64_C(1000000000000000) ? 10 * value + (*q - '0') : value;
    }
    *exponent += negative ? -value : value;
    return q;
}

size_t tdParseDouble(const char* text, size_t length, double* value)
{
    static const double exactPowers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char* p = text;
    const char* end = text + length;
    bool negative = p < end && *p == '-';
    p += negative;
    if (p >= end || !IsDigit(*p))
    {
        return 0;
    }

    uint64_t digits = 0;
    int count = 0;        // significant digits in `digits`, at most 19
    int64_t exponent = 0; // of `digits`
    int64_t dropped = 0;  // significant digits after the 19th
    bool truncated = false;
    Decimal decimal = {NULL, NULL, 0};
    for (int part = 0; part < 2; ++part)
    {
        // The digits before the point, then those after it.
        for (; p < end && IsDigit(*p); ++p)
        {
            exponent -= part;
            if (count == 0 && *p == '0')
            {
                if (part == 0)
                {
                    ++p;
                    break; // nothing may follow a leading zero
                }
                continue;
            }
            if (count == 0)
            {
                decimal.digits = p;
            }
            if (count < 19)
            {
                digits = 10 * digits + (uint64_t)(*p - '0');
                count += 1;
            }
            else
            {
                dropped += 1;
                truncated = truncated || *p != '0';
            }
        }
        if (part == 0 && p + 1 < end && *p == '.' && IsDigit(p[1]))
        {
            ++p;
            continue;
        }
        break;
    }
    decimal.digitsEnd = p;
    if (p < end && (*p == 'e' || *p == 'E'))
    {
        p = ReadExponent(p, end, &exponent);
    }
    decimal.exponent = exponent;
    exponent += dropped;

    double result;
    if (!truncated && digits <= (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22)
    {
        // Both factors are exact, so one rounding is all there is.
        result =
            exponent < 0 ? (double)digits / exactPowers[-exponent] : (double)digits * exactPowers[exponent];
    }
    else
    {
        result = DoubleOfBits(ConvertDecimal(&decimal, digits, exponent, truncated));
    }
    *value = negative ? -result : result;
    return (size_t)(p - text);
}

size_t tdParseInteger(const char* text, size_t length, int64_t* value)
{
    const char* p = text;
    const char* end = text + length;
    bool negative = p < end && *p == '-';
    p += negative;
    if (p >= end || !IsDigit(*p))
    {
        return 0;
    }
    uint64_t limit = negative ? UINT64_C(1) << 63 : (UINT64_C(1) << 63) - 1;
    uint64_t magnitude = 0;
    const char* first = p;
    for (; p < end && IsDigit(*p) && !(p == first + 1 && *first == '0'); ++p)
    {
        uint64_t digit = (uint64_t)(*p - '0');
        if (magnitude > (limit - digit) / 10)
        {
            return 0;
        }
        magnitude = 10 * magnitude + digit;
    }
    bool fraction = p + 1 < end && *p == '.' && IsDigit(p[1]);
    int64_t ignored = 0;
    if (fraction || (p < end && (*p == 'e' || *p == 'E') && ReadExponent(p, end, &ignored) != p))
    {
        return 0;
    }
    *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    return (size_t)(p - text);
}

// Writing.

/// digits 10^exponent
typedef struct Shortest
{
    uint64_t digits;
    int exponent;
} Shortest;

/// The 128-bit power rounded up, as Schubfach wants it.
static void GetPowerAbove(int exponent, uint64_t* high, uint64_t* low)
{
    const uint64_t* power = tdPowersOfTen[exponent - TD_LOWEST_POWER];
    bool exact = exponent >= 0 && exponent <= 55;
    *low = power[1] + !exact;
    *high = power[0] + (!exact && *low == 0);
}

/// floor(g c / 2^128), with the lowest bit set when something was cut off.
static uint64_t ScaleToOdd(uint64_t high, uint64_t low, uint64_t c)
{
    uint64_t middle, ignored;
    uint64_t top = MulHigh(high, c, &middle);
    uint64_t carry = MulHigh(low, c, &ignored);
    middle += carry;
    top += middle < carry;
    return top | (middle > 1);
}

/// The value is c 2^q; of its interval the lower half is shorter when `closerBelow` (c is a power of two).
static Shortest FindShortest(uint64_t c, int q, bool closerBelow)
{
    bool open = (c & 1) != 0; // the ends of the interval round to an even neighbour
    // 10^k is the greatest power not above the interval's length.
    int k = (int)(((int64_t)q * 1262611 - (closerBelow ? 524031 : 0)) >> 22);
    int shift = q + FloorLog2OfPower(-k) + 1;
    uint64_t high, low;
    GetPowerAbove(-k, &high, &low);
    // Quarters of 10^k.
    uint64_t left = ScaleToOdd(high, low, (4 * c - 2 + closerBelow) << shift) + open;
    uint64_t value = ScaleToOdd(high, low, (4 * c) << shift);
    uint64_t right = ScaleToOdd(high, low, (4 * c + 2) << shift) - open;

    uint64_t s = value / 4;
    if (s >= 10)
    {
        uint64_t tens = s / 10;
        bool lowInside = left <= 40 * tens, highInside = 40 * tens + 40 <= right;
        if (lowInside != highInside)
        {
            return (Shortest){tens + highInside, k + 1};
        }
    }
    bool lowInside = left <= 4 * s, highInside = 4 * s + 4 <= right;
    if (lowInside != highInside)
    {
        return (Shortest){s + highInside, k};
    }
    uint64_t middle = 4 * s + 2;
    bool up = value > middle || (value == middle && (s & 1) != 0);
    return (Shortest){s + up, k};
}

static size_t WriteDigits(char* text, uint64_t digits)
{
    char reversed[20];
    size_t count = 0;
    do
    {
        reversed[count++] = (char)('0' + digits % 10);
        digits /= 10;
    } while (digits != 0);
    for (size_t i = 0; i < count; ++i)
    {
        text[i] = reversed[count - 1 - i];
    }
    return count;
}

/// Plain notation from 1e-6 up to 21 digits before the point, else scientific.
static size_t Format(char* text, bool negative, Shortest shortest)
{
    while (shortest.digits != 0 && shortest.digits % 10 == 0)
    {
        shortest.digits /= 10;
        shortest.exponent += 1;
    }
    char digits[20];
    int count = (int)WriteDigits(digits, shortest.digits);
    int point = count + shortest.exponent; // digits before the point
    char* out = text;
    if (negative)
    {
        *out++ = '-';
    }
    if (shortest.digits == 0)
    {
        *out++ = '0';
    }
    else if (point > 0 && point <= 21)
    {
        for (int i = 0; i < count || i < point; ++i)
        {
            if (i == point)
            {
                *out++ = '.';
            }
            *out++ = i < count ? digits[i] : '0';
        }
    }
    else if (point > -6 && point <= 0)
    {
        *out++ = '0';
        *out++ = '.';
        for (int i = point; i < 0; ++i)
        {
            *out++ = '0';
        }
        memcpy(out, digits, (size_t)count);
        out += count;
    }
    else
    {
        *out++ = digits[0];
        if (count > 1)
        {
            *out++ = '.';
            memcpy(out, digits + 1, (size_t)count - 1);
            out += count - 1;
        }
        *out++ = 'e';
        int exponent = point - 1;
        if (exponent < 0)
        {
            *out++ = '-';
            exponent = -exponent;
        }
        out += WriteDigits(out, (uint64_t)exponent);
    }
    *out = 0;
    return (size_t)(out - text);
}

/// From the fields of a binary number with `width` stored mantissa bits.
static size_t WriteBinary(char* text, bool negative, uint64_t mantissa, int field, int width, int bias)
{
    if (field == 0 && mantissa == 0)
    {
        return Format(text, negative, (Shortest){0, 0});
    }
    uint64_t c = field != 0 ? mantissa | UINT64_C(1) << width : mantissa;
    int q = (field != 0 ? field : 1) - bias - width;
    if (q <= 0 && q >= -width && (c & ((UINT64_C(1) << -q) - 1)) == 0)
    {
        return Format(text, negative, (Shortest){c >> -q, 0}); // a whole number
    }
    return Format(text, negative, FindShortest(c, q, mantissa == 0 && field > 1));
}

size_t tdWriteFloat(char text[TD_NUMBER_TEXT_SIZE], float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return WriteBinary(text, bits >> 31 != 0, bits & 0x7fffffu, (int)((bits >> 23) & 0xff), 23, 127);
}

size_t tdWriteDouble(char text[TD_NUMBER_TEXT_SIZE], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return WriteBinary(text, bits >> 63 != 0, bits & ((UINT64_C(1) << 52) - 1), (int)((bits >> 52) & 0x7ff),
                       52, 1023);
}

size_t tdWriteInteger(char text[TD_NUMBER_TEXT_SIZE], int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    text[0] = '-';
    size_t sign = value < 0;
    size_t length = sign + WriteDigits(text + sign, magnitude);
    text[length] = 0;
    return length;
}
