// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Decimal text to double and back, exact in both directions (docs/decisions/010-numbers.md).
//
// Reading: most numbers have at most 19 digits, which form a word w. If w and 10^|e| are doubles, one
// operation gives the result; otherwise one product of 64-bit words does, unless it is too near a midpoint.
// Those and the others: the first 19 digits form w, and 128-bit powers of ten bound w 10^e from both sides.
// If both bounds round to the same double, that is the result. Otherwise big integers compare the text with
// the midpoint of the two candidates.
//
// Writing: R. Giulietti, "The Schubfach way to render doubles" (2020): of all decimals that read back as the
// value it takes the shortest, and of those the nearest.
#include "number.h"

#include "compiler.h"
#include "number_table.h"

#include <string.h>

#define MAX_DIGITS 800 // a midpoint between two doubles has at most 768 significant digits
#define BIG_WORDS 160  // 32-bit words: room for MAX_DIGITS digits times the largest power of two

/// floor(log2(10^e)) for |e| <= 1200.
static int GetLog2OfPower(int e)
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

static double GetDoubleOfBits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

// Reading.

/// A decimal in the text: the digits of [digits, digitsEnd) without the point, times 10^exponent.
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

    // Compares left 10^exponent with right 2^binaryExponent. Factors with a negative exponent move to the
    // other side.
    int power = (int)exponent; // in range: the caller has handled values far outside the doubles
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

/// Bits of the double nearest to a 192-bit number times 2^exponent, ties to even. The number is not zero.
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
    return bits + (up ? 1 : 0); // a carry out of the mantissa correctly increments the exponent
}

static uint64_t ConvertDecimal(const Decimal* decimal, uint64_t digits, int64_t exponent, bool truncated)
{
    if (digits == 0 || exponent < TD_LOWEST_POWER)
    {
        return 0; // at most 10^19 10^-343, less than half of the smallest denormal
    }
    if (exponent > 308)
    {
        return UINT64_C(0x7ff) << 52;
    }
    int zeros = CountLeadingZeros(digits);
    uint64_t w = digits << zeros;
    const uint64_t* power = tdPowersOfTen[exponent - TD_LOWEST_POWER];
    uint64_t low, middle, crossLow;
    uint64_t high = tdMultiplyWide(w, power[0], &middle);
    uint64_t cross = tdMultiplyWide(w, power[1], &crossLow);
    low = crossLow;
    middle += cross;
    high += middle < cross;
    int binary = GetLog2OfPower((int)exponent) - 127 - zeros;
    uint64_t lower = RoundWords(high, middle, low, binary);

    // The power is exact only if 5^e fits 128 bits; the digits are exact only if there are at most 19.
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
        addHigh = tdMultiplyWide(power[0], ulp, &part);
        addMiddle = tdMultiplyWide(power[1], ulp, &crossLow) + part;
        addHigh += addMiddle < part;
        addMiddle += 2; // an upper bound of the carry from the low words
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

/// Reads an exponent at `p` ('e' or 'E').
/// @return its end, or `p` when the exponent has no digits
static const char* ReadExponent(const char* p, const char* end, int64_t* exponent)
{
    const char* q = p + 1;
    bool negative = false;
    if (q < end && (*q == '+' || *q == '-'))
    {
        negative = *q == '-';
        ++q;
    }
    if (q >= end || !tdIsDigit(*q))
    {
        return p;
    }
    int64_t value = 0;
    for (; q < end && tdIsDigit(*q); ++q)
    {
        value = value < INT64_C(1000000000000000) ? 10 * value + (*q - '0') : value;
    }
    *exponent += negative ? -value : value;
    return q;
}

/// Reads any number.
static size_t ParseLongDouble(const char* text, size_t length, double* value)
{
    const char* p = text;
    const char* end = text + length;
    bool negative = p < end && *p == '-';
    p += negative;
    if (p >= end || !tdIsDigit(*p))
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
        for (; p < end && tdIsDigit(*p); ++p)
        {
            exponent -= part;
            if (count == 0 && *p == '0')
            {
                if (part == 0)
                {
                    ++p;
                    break; // the grammar allows no digit after a leading zero
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
        if (part == 0 && p + 1 < end && *p == '.' && tdIsDigit(p[1]))
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

    double result = GetDoubleOfBits(ConvertDecimal(&decimal, digits, exponent, truncated));
    *value = negative ? -result : result;
    return (size_t)(p - text);
}

/// Eight bytes, the first in the lowest bits.
static uint64_t LoadEightDigits(const char* text)
{
    const unsigned char* p = (const unsigned char*)text;
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static bool AreEightDigits(uint64_t word)
{
    const uint64_t highs = UINT64_C(0xf0f0f0f0f0f0f0f0), zeros = UINT64_C(0x3030303030303030);
    // The second test refuses ':' to '?', whose upper half is that of a digit.
    return (word & highs) == zeros && ((word + UINT64_C(0x0606060606060606)) & highs) == zeros;
}

/// Value of eight digits: pairs, then fours, then all.
static uint64_t JoinEightDigits(uint64_t word)
{
    word -= UINT64_C(0x3030303030303030);
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (word * 10000 + (word >> 32)) & UINT64_C(0xffffffff);
}

/// The double nearest to digits 10^exponent. False if one product does not decide it.
static bool RoundProduct(uint64_t digits, int exponent, double* result)
{
    if (digits == 0 || exponent < -290 || exponent > 280)
    {
        return false; // zeros, denormals, infinities and their neighbours
    }
    int zeros = CountLeadingZeros(digits);
    uint64_t middle;
    uint64_t high = tdMultiplyWide(digits << zeros, tdPowersOfTen[exponent - TD_LOWEST_POWER][0], &middle);
    // The exact product is above high 2^64 + middle by less than 2^64: the dropped bits of `high` are exact
    // or one too low.
    int shift = 10 + (int)(high >> 63);
    uint64_t rest = high & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
    if (rest == half - 1 || (rest == half && middle == 0))
    {
        return false;
    }
    int binary = GetLog2OfPower(exponent) - zeros + 53 + shift; // of the leading bit
    *result = GetDoubleOfBits(((uint64_t)(binary + 1022) << 52) + (high >> shift) + (rest >= half ? 1 : 0));
    return true;
}

size_t tdParseDouble(const char* text, size_t length, double* value)
{
    static const double exactPowers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char* end = text + length;
    bool negative = length > 0 && *text == '-';
    const char* p = text + negative;
    const char* first = p;
    uint64_t digits = 0;
    int64_t exponent = 0;
    for (; p < end && tdIsDigit(*p); ++p)
    {
        digits = 10 * digits + (uint64_t)(*p - '0');
    }
    ptrdiff_t count = p - first;
    if (count == 0 || (*first == '0' && count > 1))
    {
        return ParseLongDouble(text, length, value); // not a number, or one that ends after the zero
    }
    if (end - p > 1 && *p == '.' && tdIsDigit(p[1]))
    {
        const char* fraction = ++p;
        for (uint64_t word; end - p >= 8 && AreEightDigits(word = LoadEightDigits(p)); p += 8)
        {
            digits = 100000000 * digits + JoinEightDigits(word);
        }
        for (; p < end && tdIsDigit(*p); ++p)
        {
            digits = 10 * digits + (uint64_t)(*p - '0');
        }
        exponent = fraction - p;
        count += p - fraction;
        for (const char* q = fraction; count > 19 && *first == '0' && *q == '0' && q < p - 1; ++q)
        {
            count -= 1; // zeros before the first significant digit
        }
        count -= *first == '0';
    }
    if (count > 19)
    {
        return ParseLongDouble(text, length, value);
    }
    if (p < end && (*p == 'e' || *p == 'E'))
    {
        p = ReadExponent(p, end, &exponent);
    }
    double result;
    if (digits <= (UINT64_C(1) << 53) && exponent >= -22 && exponent <= 22)
    {
        // Both operands are exact doubles, so the operation rounds once.
        result =
            exponent < 0 ? (double)digits / exactPowers[-exponent] : (double)digits * exactPowers[exponent];
    }
    else if (exponent < -400 || exponent > 400 || !RoundProduct(digits, (int)exponent, &result))
    {
        return ParseLongDouble(text, length, value);
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
    if (p >= end || !tdIsDigit(*p))
    {
        return 0;
    }
    uint64_t limit = negative ? UINT64_C(1) << 63 : (UINT64_C(1) << 63) - 1;
    uint64_t magnitude = 0;
    const char* first = p;
    for (; p < end && tdIsDigit(*p) && !(p == first + 1 && *first == '0'); ++p)
    {
        uint64_t digit = (uint64_t)(*p - '0');
        if (magnitude > (limit - digit) / 10)
        {
            return 0;
        }
        magnitude = 10 * magnitude + digit;
    }
    bool fraction = p + 1 < end && *p == '.' && tdIsDigit(p[1]);
    int64_t ignored = 0;
    if (fraction || (p < end && (*p == 'e' || *p == 'E') && ReadExponent(p, end, &ignored) != p))
    {
        return 0;
    }
    *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    return (size_t)(p - text);
}

// Writing.

/// The decimal digits * 10^exponent.
typedef struct Shortest
{
    uint64_t digits;
    int exponent;
} Shortest;

/// The 128-bit power of ten rounded up, which Schubfach requires.
static void GetPowerAbove(int exponent, uint64_t* high, uint64_t* low)
{
    const uint64_t* power = tdPowersOfTen[exponent - TD_LOWEST_POWER];
    bool exact = exponent >= 0 && exponent <= 55;
    *low = power[1] + !exact;
    *high = power[0] + (!exact && *low == 0);
}

/// floor(g c / 2^128) with g = high 2^64 + low; the lowest bit is set if the division is inexact.
static uint64_t ScaleToOdd(uint64_t high, uint64_t low, uint64_t c)
{
    uint64_t middle, ignored;
    uint64_t top = tdMultiplyWide(high, c, &middle);
    uint64_t carry = tdMultiplyWide(low, c, &ignored);
    middle += carry;
    top += middle < carry;
    return top | (middle > 1);
}

/// Shortest decimal that reads back as c 2^q. The lower half of its rounding interval is half as long when
/// `closerBelow` is set (c is a power of two).
static Shortest FindShortest(uint64_t c, int q, bool closerBelow)
{
    bool open = (c & 1) != 0; // ties round to even, so the ends of an odd value's interval are excluded
    // 10^k is the greatest power of ten that is at most the length of the interval.
    int k = (int)(((int64_t)q * 1262611 - (closerBelow ? 524031 : 0)) >> 22);
    int shift = q + GetLog2OfPower(-k) + 1;
    uint64_t high, low;
    GetPowerAbove(-k, &high, &low);
    // The ends and the value, in quarters of 10^k.
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

/// Plain notation from 1e-6 to 21 digits before the point, scientific notation outside. ECMAScript's
/// Number::toString has the same range.
static size_t FormatDecimal(char* text, bool negative, Shortest shortest)
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

/// Writes the number with the given IEEE fields; `width` is the number of stored mantissa bits.
static size_t WriteBinary(char* text, bool negative, uint64_t mantissa, int field, int width, int bias)
{
    if (field == 0 && mantissa == 0)
    {
        return FormatDecimal(text, negative, (Shortest){0, 0});
    }
    uint64_t c = field != 0 ? mantissa | UINT64_C(1) << width : mantissa;
    int q = (field != 0 ? field : 1) - bias - width;
    if (q <= 0 && q >= -width && (c & ((UINT64_C(1) << -q) - 1)) == 0)
    {
        return FormatDecimal(text, negative, (Shortest){c >> -q, 0}); // a whole number
    }
    return FormatDecimal(text, negative, FindShortest(c, q, mantissa == 0 && field > 1));
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
