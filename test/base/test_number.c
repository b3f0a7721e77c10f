// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Tests of number conversion against the exact conversion of the C library, on random bits, hard cases and
// edge cases of the grammar, and of the table of powers against big-integer arithmetic.
#if defined(__MINGW32__)
#define __USE_MINGW_STRTOX 1 // the strtod of msvcrt does not round correctly
#endif
#include "harness.h"

#include "base/number.h"
#include "base/number_table.h"

#include <float.h>
#include <stdlib.h>

static uint64_t randomState;

static uint64_t NextRandom(void)
{
    randomState ^= randomState << 13;
    randomState ^= randomState >> 7;
    randomState ^= randomState << 17;
    return randomState;
}

static double DoubleOfBits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float FloatOfBits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/// Parses the whole text and compares the bits with strtod's.
static bool ParsesLikeStrtod(const char* text)
{
    double own = (double)NAN, reference = strtod(text, NULL);
    size_t length = strlen(text);
    if (tdParseDouble(text, length, &own) == length && memcmp(&own, &reference, sizeof(own)) == 0)
    {
        return true;
    }
    printf("%.60s: %a, strtod %a\n", text, own, reference);
    return false;
}

TEST(ReadsRandomNumbers)
{
    randomState = 88172645463325252u;
    static char text[1200];
    for (int i = 0; i < 60000; ++i)
    {
        double value = DoubleOfBits(NextRandom());
        int digits = (int)(NextRandom() % 20) + 1, exponent = (int)(NextRandom() % 700) - 350;
        uint64_t a = NextRandom(), b = NextRandom();
        switch (i % 5)
        {
        case 0:
            snprintf(text, sizeof(text), "%.*e", digits, value);
            break;
        case 1:
            snprintf(text, sizeof(text), "%llue%d", (unsigned long long)a, exponent);
            break;
        case 2:
            snprintf(text, sizeof(text), "%llu.%llue%d", (unsigned long long)(a >> (b % 60)),
                     (unsigned long long)b, exponent);
            break;
        case 3: // denormals and their neighbours
            snprintf(text, sizeof(text), "%.*g", digits,
                     ldexp((double)(a >> 11), -1074 + (int)(b % 100) - 50));
            break;
        default:
            snprintf(text, sizeof(text), "%d.%06d", (int)(a % 1000), (int)(b % 1000000));
        }
        if (isfinite(value))
        {
            ENSURE(ParsesLikeStrtod(text));
        }
    }
}

TEST(ReadsMidpointsAndTheirNeighbours)
{
    randomState = 99u;
    static char text[1300];
    for (int i = 0; i < 600; ++i)
    {
        uint64_t bits = NextRandom() & ~(UINT64_C(1) << 63);
        bits = i % 3 == 0 ? bits % (UINT64_C(1) << 53) : bits; // denormals often
        double value = DoubleOfBits(bits), next = DoubleOfBits(bits + 1);
        if (!isfinite(next))
        {
            continue;
        }
        // A long double holds the midpoint, and its full decimal expansion is exact.
        long double middle = ((long double)value + (long double)next) / 2;
        int length = snprintf(text, sizeof(text), "%.1100Le", middle);
        ENSURE(length > 1000 && length < (int)sizeof(text));
        ENSURE(ParsesLikeStrtod(text));
        char* e = strchr(text, 'e');
        e[-1] = '1'; // just above, at the 1100th digit
        ENSURE(ParsesLikeStrtod(text));
    }
}

TEST(ReadsHardCases)
{
    const char* const cases[] = {
        "0",
        "-0",
        "0.0",
        "0e5",
        "-0.000e-999999999999999999999",
        "1",
        "-1",
        "10",
        "0.1",
        "1e22",
        "1e23",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000000001",
        "9007199254740995",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "4.9406564584124654e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "1e999999999999999999999",
        "1e-999999999999999999999",
        "1e-400",
        "6.9294956446009195e15",
        "3.9292015898194143e-294",
        "1.2345678901234567890123456789e-5",
        "0.500000000000000166533453693773481063544750213623046875",
        "3.518437208883201171875e13",
        "62.5364939768271845828",
        "8.10109172351e-10",
        "1.50000000000000011102230246251565",
        "7.2057594037927933e16",
        "0.00000000000000000000000000000000000000000000000000000000000000000000000001",
        "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000e-80"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        ENSURE(ParsesLikeStrtod(cases[i]));
    }
    // Very long texts: leading zeros, trailing zeros, and more digits than any midpoint has.
    static char text[9000];
    for (int i = 0; i < 4; ++i)
    {
        memset(text, i < 2 ? '0' : '3', 8000);
        text[0] = i % 2 == 0 ? '0' : '1';
        text[1] = '.';
        strcpy(text + 8000, i % 2 == 0 ? "17e8000" : "1e-5");
        ENSURE(ParsesLikeStrtod(text));
    }
    strcpy(text, "9007199254740993.");
    memset(text + 17, '0', 5000);
    strcpy(text + 5017, "1");
    ENSURE(ParsesLikeStrtod(text));
}

TEST(FollowsTheGrammar)
{
    const struct
    {
        const char* text;
        size_t length;
        size_t integerLength;
    } cases[] = {{"", 0, 0},      {"-", 0, 0},       {"+1", 0, 0},   {".5", 0, 0},  {"a", 0, 0},
                 {"NaN", 0, 0},   {"inf", 0, 0},     {"0", 1, 1},    {"00", 1, 1},  {"01", 1, 1},
                 {"-01", 2, 2},   {"1.", 1, 1},      {"1.e5", 1, 1}, {"1e", 1, 1},  {"1e+", 1, 1},
                 {"1e5", 3, 0},   {"1E-5,", 4, 0},   {"1.5]", 3, 0}, {"12 ", 2, 2}, {"0x10", 1, 1},
                 {"1e5.5", 3, 0}, {"-1.5e+3", 7, 0}, {"1_0", 1, 1}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        double value;
        int64_t integer;
        ENSURE_EQUAL_INT(tdParseDouble(cases[i].text, strlen(cases[i].text), &value), cases[i].length);
        ENSURE_EQUAL_INT(tdParseInteger(cases[i].text, strlen(cases[i].text), &integer),
                         cases[i].integerLength);
    }
    double value = 0.0;
    ENSURE_EQUAL_INT(tdParseDouble("12345", 3, &value), 3); // the length is respected
    ENSURE(value == 123.0);
    ENSURE_EQUAL_INT(tdParseDouble("-0", 2, &value), 2);
    ENSURE(value == 0.0 && signbit(value));
}

TEST(ReadsIntegers)
{
    int64_t value = 0;
    ENSURE(tdParseInteger("9223372036854775807", 19, &value) == 19 && value == INT64_MAX);
    ENSURE(tdParseInteger("-9223372036854775808", 20, &value) == 20 && value == INT64_MIN);
    ENSURE(tdParseInteger("9223372036854775808", 19, &value) == 0);
    ENSURE(tdParseInteger("-9223372036854775809", 20, &value) == 0);
    ENSURE(tdParseInteger("99999999999999999999999", 23, &value) == 0);
    ENSURE(tdParseInteger("-0", 2, &value) == 2 && value == 0);
}

/// Significant digits of a decimal text, without leading and trailing zeros.
static int CountDigits(const char* text)
{
    int count = 0, zeros = 0;
    for (; *text != 0 && *text != 'e'; ++text)
    {
        if (*text == '0' && count > 0)
        {
            zeros += 1;
        }
        else if (*text >= '1' && *text <= '9')
        {
            count += zeros + 1;
            zeros = 0;
        }
    }
    return count;
}

static void EnsureShortestDouble(double value)
{
    char text[TD_NUMBER_TEXT_SIZE], shorter[64];
    size_t length = tdWriteDouble(text, value);
    ENSURE(length == strlen(text) && length < TD_NUMBER_TEXT_SIZE);
    double back = strtod(text, NULL);
    ENSURE(memcmp(&back, &value, sizeof(back)) == 0);
    int digits = CountDigits(text);
    if (digits > 1)
    {
        snprintf(shorter, sizeof(shorter), "%.*e", digits - 2, value);
        ENSURE(strtod(shorter, NULL) != value); // a text with one digit less does not round-trip
        snprintf(shorter, sizeof(shorter), "%.*e", digits - 1, value);
        if (strtod(shorter, NULL) == value)
        {
            ENSURE(strtod(shorter, NULL) == back && CountDigits(shorter) == digits);
            long double own = strtold(text, NULL), nearest = strtold(shorter, NULL),
                        exact = (long double)value;
            ENSURE(fabsl(own - exact) <= fabsl(nearest - exact)); // no other text of that length is nearer
        }
    }
}

static void EnsureShortestFloat(float value)
{
    char text[TD_NUMBER_TEXT_SIZE], shorter[64];
    size_t length = tdWriteFloat(text, value);
    ENSURE(length == strlen(text) && length < TD_NUMBER_TEXT_SIZE);
    float back = strtof(text, NULL);
    ENSURE(memcmp(&back, &value, sizeof(back)) == 0);
    int digits = CountDigits(text);
    ENSURE(digits <= 9);
    if (digits > 1)
    {
        snprintf(shorter, sizeof(shorter), "%.*e", digits - 2, (double)value);
        ENSURE(strtof(shorter, NULL) != value);
        snprintf(shorter, sizeof(shorter), "%.*e", digits - 1, (double)value);
        ENSURE(fabs(strtod(text, NULL) - (double)value) <= fabs(strtod(shorter, NULL) - (double)value) ||
               strtof(shorter, NULL) != value);
    }
}

TEST(WritesTheShortestText)
{
    randomState = 7777u;
    for (int i = 0; i < 20000; ++i)
    {
        uint64_t bits = NextRandom();
        bits = i % 5 == 0 ? bits & ~((UINT64_C(1) << 52) - 1) : bits; // powers of two
        bits = i % 7 == 0 ? bits >> 12 : bits;                        // denormals
        double value = DoubleOfBits(bits);
        uint32_t half = (uint32_t)NextRandom();
        half = i % 5 == 0 ? half & 0xff800000u : half;
        half = i % 7 == 0 ? half >> 9 : half;
        float small = FloatOfBits(half);
        if (isfinite(value))
        {
            EnsureShortestDouble(value);
        }
        if (isfinite(small))
        {
            EnsureShortestFloat(small);
        }
    }
    for (int i = -320; i <= 308; ++i)
    {
        char text[16];
        snprintf(text, sizeof(text), "1e%d", i);
        EnsureShortestDouble(strtod(text, NULL));
    }
    EnsureShortestDouble(DBL_MAX);
    EnsureShortestDouble(DBL_MIN);
    EnsureShortestDouble(DBL_TRUE_MIN);
    EnsureShortestFloat(FLT_MAX);
    EnsureShortestFloat(FLT_MIN);
    EnsureShortestFloat(FLT_TRUE_MIN);
}

TEST(WritesInOneNotation)
{
    const struct
    {
        double value;
        const char* text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {1.0, "1"},
                 {-1.5, "-1.5"},
                 {0.1, "0.1"},
                 {1e-6, "0.000001"},
                 {1e-7, "1e-7"},
                 {1.5e-7, "1.5e-7"},
                 {123456789.0, "123456789"},
                 {1e20, "100000000000000000000"},
                 {1e21, "1e21"},
                 {1.25e21, "1.25e21"},
                 {5e-324, "5e-324"},
                 {9007199254740993.0, "9007199254740992"},
                 {0.3, "0.3"},
                 {2.0 / 3.0, "0.6666666666666666"},
                 {100.0, "100"},
                 {1234.5, "1234.5"}};
    char text[TD_NUMBER_TEXT_SIZE];
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
    {
        tdWriteDouble(text, cases[i].value);
        ENSURE_EQUAL_TEXT(text, cases[i].text);
    }
    tdWriteFloat(text, 0.1f);
    ENSURE_EQUAL_TEXT(text, "0.1");
    tdWriteFloat(text, 16777216.0f);
    ENSURE_EQUAL_TEXT(text, "16777216");
    tdWriteFloat(text, 3.4028235e38f);
    ENSURE_EQUAL_TEXT(text, "3.4028235e38");
    tdWriteInteger(text, INT64_MIN);
    ENSURE_EQUAL_TEXT(text, "-9223372036854775808");
    tdWriteInteger(text, 0);
    ENSURE_EQUAL_TEXT(text, "0");
}

#define WORDS 48

/// product = a * factor, lowest word first.
static void Multiply(uint32_t words[WORDS], uint32_t factor)
{
    uint64_t carry = 0;
    for (int i = 0; i < WORDS; ++i)
    {
        carry += (uint64_t)words[i] * factor;
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static int GetBitLength(const uint32_t words[WORDS])
{
    for (int i = 32 * WORDS - 1; i >= 0; --i)
    {
        if ((words[i / 32] >> (i % 32) & 1) != 0)
        {
            return i + 1;
        }
    }
    return 0;
}

/// out = power * (high, low), schoolbook in 32-bit digits.
static void MultiplyBy128(uint32_t out[WORDS], const uint32_t power[WORDS], uint64_t high, uint64_t low)
{
    const uint32_t factor[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32)};
    memset(out, 0, WORDS * sizeof(uint32_t));
    for (int j = 0; j < 4; ++j)
    {
        uint64_t carry = 0;
        for (int i = 0; i + j < WORDS; ++i)
        {
            carry += (uint64_t)power[i] * factor[j] + out[i + j];
            out[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

TEST(TableOfPowersIsRight)
{
    uint32_t power[WORDS] = {1};
    for (int e = 0; e <= 342; ++e)
    {
        int bits = GetBitLength(power);
        if (e <= TD_HIGHEST_POWER)
        {
            // Leading 128 bits of 5^e, which are also those of 10^e.
            uint64_t lead[2] = {0, 0};
            for (int i = 0; i < 128; ++i)
            {
                int at = bits - 1 - i;
                uint64_t bit = at >= 0 ? power[at / 32] >> (at % 32) & 1 : 0;
                lead[i / 64] |= bit << (63 - i % 64);
            }
            const uint64_t* entry = tdPowersOfTen[e - TD_LOWEST_POWER];
            ENSURE(entry[0] == lead[0] && entry[1] == lead[1]);
        }
        if (e > 0)
        {
            // 10^-e: the entry P is floor(2^n / 5^e), that is P 5^e <= 2^n < (P + 1) 5^e, n = 127 + bits.
            const uint64_t* entry = tdPowersOfTen[-e - TD_LOWEST_POWER];
            uint32_t product[WORDS];
            MultiplyBy128(product, power, entry[0], entry[1]);
            ENSURE(GetBitLength(product) <= 127 + bits); // below 2^n, as 5^e is odd
            uint64_t low = entry[1] + 1;
            MultiplyBy128(product, power, entry[0] + (low == 0), low);
            ENSURE(GetBitLength(product) == 128 + bits);
        }
        Multiply(power, 5u);
    }
}

TEST_MAIN(RUN(ReadsRandomNumbers) RUN(ReadsMidpointsAndTheirNeighbours) RUN(ReadsHardCases)
              RUN(FollowsTheGrammar) RUN(ReadsIntegers) RUN(WritesTheShortestText) RUN(WritesInOneNotation)
                  RUN(TableOfPowersIsRight))
