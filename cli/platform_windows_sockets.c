// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The sockets of platform.h for Windows. A connection is answered by this program, started once more.
#if defined(_WIN32)

#include "platform_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <string.h>
#include <winsock2.h>

static void StartSockets(void)
{
    static bool isStarted;
    WSADATA data;
    if (!isStarted)
    {
        isStarted = WSAStartup(MAKEWORD(2, 2), &data) == 0;
    }
}

intptr_t ListenOnPort(int* port)
{
    StartSockets();
    SOCKET listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((u_short)*port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int size = sizeof address, yes = 1;
    if (listener != INVALID_SOCKET &&
        setsockopt(listener, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, (const char*)&yes, sizeof yes) == 0 &&
        bind(listener, (struct sockaddr*)&address, size) == 0 && listen(listener, 16) == 0 &&
        getsockname(listener, (struct sockaddr*)&address, &size) == 0)
    {
        *port = ntohs(address.sin_port);
        return (intptr_t)listener;
    }
    errno = WSAGetLastError() == WSAEADDRINUSE || WSAGetLastError() == WSAEACCES ? EADDRINUSE : EIO;
    if (listener != INVALID_SOCKET)
    {
        closesocket(listener);
    }
    return -1;
}

/// Waits until a socket can be read.
static bool IsReadable(intptr_t connection, int milliseconds)
{
    fd_set readable;
    FD_ZERO(&readable);
    readable.fd_array[readable.fd_count++] = (SOCKET)connection;
    struct timeval timeout = {milliseconds / 1000, milliseconds % 1000 * 1000};
    return select(0, &readable, NULL, NULL, milliseconds < 0 ? NULL : &timeout) == 1;
}

intptr_t AcceptConnection(intptr_t listener, int milliseconds)
{
    SOCKET client =
        IsReadable(listener, milliseconds) ? accept((SOCKET)listener, NULL, NULL) : INVALID_SOCKET;
    return client != INVALID_SOCKET ? (intptr_t)client : -1;
}

bool SendBytes(intptr_t connection, const char* bytes, size_t size)
{
    while (size > 0)
    {
        int sent = send((SOCKET)connection, bytes, size < 1 << 20 ? (int)size : 1 << 20, 0);
        if (sent <= 0)
        {
            return false;
        }
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

size_t ReceiveBytes(intptr_t connection, char* bytes, size_t size, int milliseconds)
{
    int count = IsReadable(connection, milliseconds) ? recv((SOCKET)connection, bytes, (int)size, 0) : 0;
    return count > 0 ? (size_t)count : 0;
}

void CloseConnection(intptr_t connection)
{
    shutdown((SOCKET)connection, SD_SEND);
    closesocket((SOCKET)connection);
}

#define MOST_ANSWERS 64

static HANDLE answers[MOST_ANSWERS];
static int answerCount;

bool AnswerInWorker(intptr_t listener, intptr_t connection, AnswerFcn* answer, void* context)
{
    (void)answer;
    (void)context;
    struct sockaddr_in address;
    int size = sizeof address;
    char request[96];
    int port =
        getsockname((SOCKET)listener, (struct sockaddr*)&address, &size) == 0 ? ntohs(address.sin_port) : 0;
    snprintf(request, sizeof request, "serve %lld %d", (long long)connection, port);
    HANDLE streams[3] = {GetStdHandle(STD_INPUT_HANDLE), GetStdHandle(STD_OUTPUT_HANDLE),
                         GetStdHandle(STD_ERROR_HANDLE)};
    HANDLE process = answerCount < MOST_ANSWERS ? StartSelf(request, streams, (HANDLE)connection) : NULL;
    closesocket((SOCKET)connection);
    if (process != NULL)
    {
        answers[answerCount++] = process;
    }
    return process != NULL;
}

int CountAnswers(int most)
{
    for (;;)
    {
        for (int i = answerCount - 1; i >= 0; --i)
        {
            if (WaitForSingleObject(answers[i], 0) == WAIT_OBJECT_0)
            {
                CloseHandle(answers[i]);
                answers[i] = answers[--answerCount];
            }
        }
        if (answerCount < most)
        {
            return answerCount;
        }
        Sleep(5);
    }
}

void DiscardErrors(void)
{
    int nothing = _open("NUL", _O_WRONLY);
    _dup2(nothing, _fileno(stderr));
}

#else
typedef int PlatformSocketsIsEmpty; // ISO C forbids an empty source
#endif
