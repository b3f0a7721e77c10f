// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Chooses the encoder of a picture. ffmpeg runs as a child that reads raw frames from a pipe.
#include "picture.h"

#include "gif_write.h"
#include "interrupt.h"
#include "memory.h"
#include "platform.h"
#include "png_write.h"

#include <stdlib.h>
#include <string.h>

struct Picture
{
    PictureKind kind;
    OutputFile* file;
    int width, height;
    GifWriter* gif;
    FILE* pipe;       // to ffmpeg; NULL: none
    intptr_t process; // of ffmpeg
    bool isFine;
};

static bool StartEncoder(Picture* picture, double rate)
{
    const OutputFile* file = picture->file;
    bool isMp4 = picture->kind == PICTURE_MP4;
    bool isPiped = file->temporaryPath == NULL;
    char size[32], rateText[32];
    snprintf(size, sizeof size, "%dx%d", picture->width, picture->height);
    snprintf(rateText, sizeof rateText, "%.6g", rate);
    const char* target = !isPiped                       ? file->temporaryPath
                         : strcmp(file->path, "-") == 0 ? "pipe:1"
                                                        : file->path;
    const char* arguments[] = {"ffmpeg",
                               "-hide_banner",
                               "-loglevel",
                               "error",
                               "-y",
                               "-f",
                               "rawvideo",
                               "-pix_fmt",
                               "rgba",
                               "-s",
                               size,
                               "-r",
                               rateText,
                               "-i",
                               "pipe:0",
                               "-an",
                               "-map_metadata",
                               "-1",
                               "-fflags",
                               "+bitexact",
                               "-flags:v",
                               "+bitexact",
                               "-c:v",
                               isMp4 ? "libx264" : "libvpx-vp9",
                               "-crf",
                               isMp4 ? "18" : "28",
                               "-b:v",
                               "0",
                               "-pix_fmt",
                               "yuv420p",
                               "-f",
                               isMp4 ? "mp4" : "webm",
                               "-movflags",
                               isPiped ? "frag_keyframe+empty_moov" : "+faststart",
                               target,
                               NULL};
    if (!isMp4)
    {
        // -movflags is an option of mp4.
        arguments[32] = target;
        arguments[33] = NULL;
    }
    picture->pipe = StartProgram(arguments, &picture->process);
    return picture->pipe != NULL;
}

Picture* StartPicture(PictureKind kind, OutputFile* file, int width, int height, double rate,
                      const char** why)
{
    *why = "out of memory";
    Picture* picture = AllocateZeroed(1, sizeof *picture);
    if (picture == NULL)
    {
        return NULL;
    }
    *picture = (Picture){.kind = kind, .file = file, .width = width, .height = height, .isFine = true};
    bool isFine = true;
    if (kind == PICTURE_GIF)
    {
        picture->gif = StartGif(file, width, height, rate);
        isFine = picture->gif != NULL;
    }
    else if (kind != PICTURE_PNG)
    {
        isFine = StartEncoder(picture, rate);
        *why = "videos need the program ffmpeg (Debian package ffmpeg); PNG and GIF do not";
    }
    if (!isFine)
    {
        free(picture);
        return NULL;
    }
    return picture;
}

bool AddFrame(Picture* picture, const uint8_t* pixels)
{
    size_t size = (size_t)picture->width * (size_t)picture->height * 4;
    switch (picture->kind)
    {
    case PICTURE_PNG:
        picture->isFine = picture->isFine && WritePng(picture->file, pixels, picture->width, picture->height);
        break;
    case PICTURE_GIF:
        picture->isFine = picture->isFine && AddGifFrame(picture->gif, pixels);
        break;
    case PICTURE_WEBM:
    case PICTURE_MP4:
        picture->isFine = picture->isFine && fwrite(pixels, 1, size, picture->pipe) == size;
        break;
    }
    return picture->isFine;
}

bool EndPicture(Picture* picture, const char** why)
{
    bool isFine = picture->isFine;
    *why = NULL;
    if (picture->kind == PICTURE_GIF)
    {
        isFine = EndGif(picture->gif) && isFine;
    }
    if (picture->pipe != NULL)
    {
        isFine = fclose(picture->pipe) == 0 && isFine;
        isFine = AwaitProgram(picture->process) && isFine;
        *why = isFine ? NULL : "ffmpeg failed";
        PathInfo info;
        if (isFine && picture->file->temporaryPath != NULL &&
            GetPathInfo(picture->file->temporaryPath, &info))
        {
            picture->file->byteCount = (size_t)info.size;
        }
    }
    free(picture);
    return isFine;
}
