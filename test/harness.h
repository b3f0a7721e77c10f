// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The complete test harness. A test program lists its tests once:
//
//     TEST(AddsNumbers) { ENSURE_EQUAL_INT(1 + 1, 2); }
//     TEST_MAIN(RUN(AddsNumbers))
//
// A failed ENSURE prints file, line and both values; the test continues. An argument selects the tests whose
// name contains it. The harness needs no file system, so the same programs run as WebAssembly.
#pragma once

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct tdTestRun
{
    const char* filter;
    const char* current;
    int checks, failures, failedTests, tests;
    bool isSkipped;
} tdTestRun;

static tdTestRun testRun;

// Reports that a requirement of the tests is missing. The program exits with 77, which ctest reports as
// skipped.
static inline void TestSkip(const char* reason)
{
    printf("skipped: %s\n", reason);
    testRun.isSkipped = true;
}

static inline bool TestFail(const char* file, int line, const char* text)
{
    testRun.failures += 1;
    printf("%s:%d: %s: failed: %s", file, line, testRun.current, text);
    return false;
}

static inline bool TestNear(double a, double b, double tolerance, const char* text, const char* file,
                            int line)
{
    testRun.checks += 1;
    if (fabs(a - b) <= tolerance || (isinf(a) && isinf(b) && (a > 0) == (b > 0)))
    {
        return true;
    }
    TestFail(file, line, text);
    printf(" (%.9g and %.9g differ by %.3g, allowed %.3g)\n", a, b, fabs(a - b), tolerance);
    return false;
}

static inline bool TestInt(long long a, long long b, const char* text, const char* file, int line)
{
    testRun.checks += 1;
    if (a == b)
    {
        return true;
    }
    TestFail(file, line, text);
    printf(" (%lld and %lld, %#llx and %#llx)\n", a, b, (unsigned long long)a, (unsigned long long)b);
    return false;
}

static inline bool TestText(const char* a, const char* b, const char* text, const char* file, int line)
{
    testRun.checks += 1;
    if (a == b || (a != NULL && b != NULL && strcmp(a, b) == 0))
    {
        return true;
    }
    TestFail(file, line, text);
    printf("\n  left:  %s\n  right: %s\n", a != NULL ? a : "(null)", b != NULL ? b : "(null)");
    return false;
}

static inline bool TestTrue(bool value, const char* text, const char* file, int line)
{
    testRun.checks += 1;
    if (value)
    {
        return true;
    }
    TestFail(file, line, text);
    printf("\n");
    return false;
}

#define ENSURE(x) TestTrue((x), #x, __FILE__, __LINE__)
#define ENSURE_NEAR(a, b, tolerance)                                                                         \
    TestNear((double)(a), (double)(b), (double)(tolerance), #a " near " #b, __FILE__, __LINE__)
#define ENSURE_EQUAL_INT(a, b) TestInt((long long)(a), (long long)(b), #a " == " #b, __FILE__, __LINE__)
#define ENSURE_EQUAL_TEXT(a, b) TestText((a), (b), #a " equals " #b, __FILE__, __LINE__)

#define TEST(name) static void Test##name(void)
#define RUN(name) TestRunOne(#name, Test##name);

static inline void TestRunOne(const char* name, void (*test)(void))
{
    if (testRun.filter != NULL && strstr(name, testRun.filter) == NULL)
    {
        return;
    }
    int before = testRun.failures;
    testRun.current = name;
    testRun.tests += 1;
    test();
    if (testRun.failures != before)
    {
        testRun.failedTests += 1;
    }
}

#define TEST_MAIN(...)                                                                                       \
    int main(int argc, char** argv)                                                                          \
    {                                                                                                        \
        setvbuf(stdout, NULL, _IOLBF, 1 << 12);                                                              \
        testRun.filter = argc > 1 ? argv[1] : NULL;                                                          \
        __VA_ARGS__                                                                                          \
        printf("%d passed, %d failed\n", testRun.tests - testRun.failedTests, testRun.failedTests);          \
        if (testRun.tests == 0 && testRun.isSkipped)                                                         \
        {                                                                                                    \
            return 77;                                                                                       \
        }                                                                                                    \
        return testRun.failures == 0 && testRun.tests > 0 ? 0 : 1;                                           \
    }
