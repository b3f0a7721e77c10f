// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Threads of a system that has none: creating one fails. Mutexes and conditions have nothing to do.
#pragma once

#include <signal.h>
#include <sys/types.h>

int pthread_create(pthread_t* thread, const void* attributes, void* (*run)(void*), void* context);
int pthread_join(pthread_t thread, void** result);
int pthread_sigmask(int how, const sigset_t* set, sigset_t* before);

static inline int pthread_mutex_init(pthread_mutex_t* mutex, const void* attributes)
{
    (void)mutex;
    (void)attributes;
    return 0;
}

static inline int pthread_mutex_destroy(pthread_mutex_t* mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_lock(pthread_mutex_t* mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_mutex_unlock(pthread_mutex_t* mutex)
{
    (void)mutex;
    return 0;
}

static inline int pthread_cond_init(pthread_cond_t* condition, const void* attributes)
{
    (void)condition;
    (void)attributes;
    return 0;
}

static inline int pthread_cond_destroy(pthread_cond_t* condition)
{
    (void)condition;
    return 0;
}

static inline int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex)
{
    (void)condition;
    (void)mutex;
    return 0;
}

static inline int pthread_cond_signal(pthread_cond_t* condition)
{
    (void)condition;
    return 0;
}

static inline int pthread_cond_broadcast(pthread_cond_t* condition)
{
    (void)condition;
    return 0;
}
