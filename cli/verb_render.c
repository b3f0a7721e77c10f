// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon render: a picture or a film of a file, by the software renderer.
#include "batch.h"
#include "json.h"
#include "memory.h"
#include "output_file.h"
#include "picture.h"
#include "player.h"
#include "terminal.h"
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Camera positions along a run are sampled at this rate, in Hz, to frame all of it.
#define FRAMING_RATE 10.0

// Seconds of a film of a file without an animation, and time of a thumbnail.
#define DEFAULT_SECONDS 4.0
#define THUMBNAIL_SECONDS 1.0
#define THUMBNAIL_SIZE 256

// A film stays within this many diagonals of the first frame: bodies that fly away do not make the rest
// small.
#define LARGEST_GROWTH 0.75f

typedef struct RenderPlan
{
    PictureKind kind;
    int width, height;
    double seconds, rate;
    int frameCount;
} RenderPlan;

static PictureKind GetPictureKind(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot == NULL                  ? PICTURE_PNG
           : HasExtension(dot, ".gif")  ? PICTURE_GIF
           : HasExtension(dot, ".webm") ? PICTURE_WEBM
           : HasExtension(dot, ".mp4")  ? PICTURE_MP4
                                        : PICTURE_PNG;
}

// Parses WIDTHxHEIGHT.
static bool ParseSize(const char* text, int* width, int* height)
{
    char* end = NULL;
    long w = strtol(text, &end, 10);
    if (end == text || (*end != 'x' && *end != 'X'))
    {
        return false;
    }
    const char* second = end + 1;
    long h = strtol(second, &end, 10);
    *width = (int)w;
    *height = (int)h;
    return end != second && *end == '\0' && w >= 1 && h >= 1 && w <= 8192 && h <= 8192;
}

// Fills the plan from options and the file's animation. EXIT_USAGE after an error message.
static int MakePlan(const Session* session, const Player* player, const char* path, RenderPlan* plan)
{
    const Options* options = session->options;
    bool isThumbnail = IsGiven(options, OPTION_THUMBNAIL);
    const OptionValue* seconds = &options->values[OPTION_RENDER_SECONDS];
    *plan = (RenderPlan){.kind = GetPictureKind(path), .width = THUMBNAIL_SIZE, .height = THUMBNAIL_SIZE};
    if (!(isThumbnail && !IsGiven(options, OPTION_SIZE)) &&
        !ParseSize(options->values[OPTION_SIZE].text, &plan->width, &plan->height))
    {
        Complain(session, "--size takes a width and a height from 1 to 8192 such as 640x360, not \"%s\".",
                 options->values[OPTION_SIZE].text);
        return EXIT_USAGE;
    }
    bool isVideo = plan->kind == PICTURE_WEBM || plan->kind == PICTURE_MP4;
    if (isVideo && (plan->width % 2 != 0 || plan->height % 2 != 0))
    {
        Complain(session, "videos need an even width and height, not %dx%d.", plan->width, plan->height);
        return EXIT_USAGE;
    }
    if (plan->kind != PICTURE_PNG && IsWord(options, OPTION_BACKGROUND, "transparent"))
    {
        Complain(session, "only a PNG can be transparent.");
        return EXIT_USAGE;
    }
    double given = seconds->isGiven ? seconds->number : -1.0;
    double clip = GetRunSeconds(player, -1.0, -1.0);
    double moment = clip > 0.0 && clip < 2.0 * THUMBNAIL_SECONDS ? 0.5 * clip : THUMBNAIL_SECONDS;
    plan->seconds = plan->kind != PICTURE_PNG ? GetRunSeconds(player, given, DEFAULT_SECONDS)
                    : given >= 0.0            ? given
                    : isThumbnail             ? moment
                                              : 0.0;
    plan->rate = options->values[OPTION_RENDER_RATE].number;
    double frames = plan->kind == PICTURE_PNG ? 1.0 : plan->seconds * plan->rate;
    if (frames > 1.0e6)
    {
        Complain(session, "%g s at %g Hz are too many frames.", plan->seconds, plan->rate);
        return EXIT_USAGE;
    }
    plan->frameCount = frames < 1.0 ? 1 : (int)(frames + 0.5);
    return EXIT_FINE;
}

static double GetFrameTime(const RenderPlan* plan, int frame)
{
    return plan->kind == PICTURE_PNG ? plan->seconds : frame / plan->rate;
}

static tdRenderer* MakeRenderer(const Session* session, const Player* player, const RenderPlan* plan)
{
    static const char* const backgrounds[] = {"light", "dark", "white", "transparent"};
    const Options* options = session->options;
    tdRenderDef def = tdDefaultRenderDef();
    def.allocator = GetMemory();
    def.tasks = session->threads;
    def.width = plan->width;
    def.height = plan->height;
    def.sampleRate = (int)options->values[OPTION_SAMPLES].number;
    def.drawColliders = IsGiven(options, OPTION_COLLIDERS);
    for (int i = 0; i < 4; ++i)
    {
        def.background =
            IsWord(options, OPTION_BACKGROUND, backgrounds[i]) ? (tdBackground)i : def.background;
    }
    return tdCreateRenderer(player->asset, &def, player->report);
}

// --- the camera -------------------------------------------------------------------------------------------

static bool IsEmpty(tdBox box)
{
    return box.lower.x > box.upper.x;
}

static float Limit(float value, float lower, float upper)
{
    return value < lower ? lower : value > upper ? upper : value;
}

// Grows a box to contain another one, within limits.
static void GrowBox(tdBox* box, tdBox other, tdBox limit)
{
    if (IsEmpty(other))
    {
        return;
    }
    box->lower.x = fminf(box->lower.x, Limit(other.lower.x, limit.lower.x, limit.upper.x));
    box->lower.y = fminf(box->lower.y, Limit(other.lower.y, limit.lower.y, limit.upper.y));
    box->lower.z = fminf(box->lower.z, Limit(other.lower.z, limit.lower.z, limit.upper.z));
    box->upper.x = fmaxf(box->upper.x, Limit(other.upper.x, limit.lower.x, limit.upper.x));
    box->upper.y = fmaxf(box->upper.y, Limit(other.upper.y, limit.lower.y, limit.upper.y));
    box->upper.z = fmaxf(box->upper.z, Limit(other.upper.z, limit.lower.z, limit.upper.z));
}

// Box of the whole run. A film is simulated twice: once to frame it.
static bool MeasureRun(const Session* session, Player* player, tdRenderer* renderer, const RenderPlan* plan,
                       Progress* progress, tdBox* box)
{
    if (!AdvancePlayer(player, plan->kind == PICTURE_PNG ? plan->seconds : 0.0))
    {
        return false;
    }
    *box = tdRenderer_GetBounds(renderer, player->actor);
    if (plan->kind == PICTURE_PNG || IsEmpty(*box))
    {
        return true;
    }
    tdVec3 size = tdSub(box->upper, box->lower);
    float margin = LARGEST_GROWTH * tdLength(size);
    tdVec3 room = {margin, margin, margin};
    tdBox limit = {tdSub(box->lower, room), tdAdd(box->upper, room)};
    int count = (int)(plan->seconds * FRAMING_RATE);
    for (int i = 1; i <= count && !player->isLimited; ++i)
    {
        if (!AdvancePlayer(player, i / FRAMING_RATE))
        {
            return false;
        }
        GrowBox(box, tdRenderer_GetBounds(renderer, player->actor), limit);
        UpdateProgress(progress, 0.2 * i / count, 0.0, "");
    }
    return count == 0 || RestartPlayer(player, session);
}

// Finds --camera by name or index; -1: not given, -2: there is none (reported).
static int FindCamera(const Session* session, const Player* player, const tdRenderer* renderer)
{
    const char* typed = session->options->values[OPTION_CAMERA].text;
    int count = tdRenderer_GetCameraCount(renderer);
    if (typed == NULL)
    {
        return -1;
    }
    for (int i = 0; i < count; ++i)
    {
        if (strcmp(tdAsset_GetNodeName(player->asset, tdRenderer_GetCameraNode(renderer, i)), typed) == 0)
        {
            return i;
        }
    }
    char* end = NULL;
    long index = strtol(typed, &end, 10);
    if (end != typed && *end == '\0' && index >= 0 && index < count)
    {
        return (int)index;
    }
    Complain(session, "there is no camera \"%s\" in %s; it has %d.", typed, NameFile(player->path), count);
    return -2;
}

// --- the run ----------------------------------------------------------------------------------------------

static bool DrawFrames(Player* player, tdRenderer* renderer, const RenderPlan* plan, int cameraIndex,
                       tdCamera camera, Picture* picture, Progress* progress)
{
    double started = GetMonotonicSeconds();
    // Where a limit ends the run before the moment of a PNG, the picture shows that end.
    for (int i = 0; i < plan->frameCount && (i == 0 || !player->isLimited); ++i)
    {
        if (!AdvancePlayer(player, GetFrameTime(plan, i)))
        {
            return false;
        }
        tdRenderer_GetCamera(renderer, player->actor, cameraIndex, camera.ground, &camera);
        const uint8_t* pixels = tdRenderer_Draw(renderer, player->actor, &camera);
        if (pixels == NULL || !AddFrame(picture, pixels))
        {
            return false;
        }
        UpdateProgress(progress, 0.2 + 0.8 * (i + 1) / plan->frameCount,
                       (i + 1) / (GetMonotonicSeconds() - started), "frames/s");
    }
    return true;
}

static void PrintRendered(const Session* session, const Player* player, const OutputFile* file,
                          const RenderPlan* plan)
{
    if (strcmp(file->path, "-") == 0)
    {
        return;
    }
    if (IsGiven(session->options, OPTION_JSON))
    {
        printf("{\"input\":");
        PrintJsonText(stdout, player->path);
        printf(",\"output\":");
        PrintJsonText(stdout, file->path);
        printf(",\"byteCount\":%zu,\"width\":%d,\"height\":%d,\"frames\":%d,\"issues\":%s}\n",
               file->byteCount, plan->width, plan->height, plan->frameCount,
               tdReport_GetJson(player->report, NULL));
    }
    else if (!session->isQuiet)
    {
        char inputs[INPUT_TEXT_SIZE], size[16], counts[96];
        DescribeInputs(player, session, inputs);
        FormatSize(size, file->byteCount);
        FormatCounts(counts, player->report);
        PrintClean(stderr, "%s → %s (%s), %dx%d, %d %s, %s\n", inputs, file->path, size, plan->width,
                   plan->height, plan->frameCount, plan->frameCount == 1 ? "frame" : "frames", counts);
    }
}

// Writes the frames of a prepared run into a stream, or into a file if that is NULL.
static int WriteFrames(const Session* session, Player* player, tdRenderer* renderer, const RenderPlan* plan,
                       const char* path, FILE* stream, int cameraIndex)
{
    const double* orbit = session->options->values[OPTION_ORBIT].numbers;
    const float degree = 0.0174532925f;
    Progress progress = StartWork(session, "rendering");
    tdBox box;
    OutputFile file = {.path = path, .stream = stream, .isBorrowed = stream != NULL};
    bool isFine = MeasureRun(session, player, renderer, plan, &progress, &box);
    const char* why = "out of memory";
    if (isFine)
    {
        tdCamera camera = tdRenderer_FrameBox(renderer, box, (float)orbit[0] * degree,
                                              (float)orbit[1] * degree, (float)orbit[2]);
        why = NULL;
        isFine = stream != NULL || OpenOutput(&file, path);
        Picture* picture =
            isFine ? StartPicture(plan->kind, &file, plan->width, plan->height, plan->rate, &why) : NULL;
        isFine =
            picture != NULL && DrawFrames(player, renderer, plan, cameraIndex, camera, picture, &progress);
        if (picture != NULL)
        {
            const char* endWhy = NULL;
            isFine = EndPicture(picture, &endWhy) && isFine;
            why = endWhy;
        }
    }
    EndProgress(&progress);
    bool isClosed = CloseOutput(&file, isFine);
    if (file.isBroken)
    {
        return GetReportExit(player->report);
    }
    if (!isFine || !isClosed)
    {
        FailFile(session, player->path, player->report);
        bool isStandard = strcmp(path, "-") == 0;
        Complain(session, isStandard ? "cannot write %s: %s." : "cannot write \"%s\": %s.",
                 isStandard ? "standard output" : path,
                 why != NULL       ? why
                 : file.error != 0 ? strerror(file.error)
                                   : "out of memory");
        return EXIT_IO;
    }
    ReportFindings(session, player->report);
    PrintRendered(session, player, &file, plan);
    return GetReportExit(player->report);
}

static int Render(const Session* session, const char* input, const char* path, FILE* stream)
{
    Player player;
    int result = StartPlayer(&player, session, input);
    if (player.actor != NULL)
    {
        RenderPlan plan;
        result = MakePlan(session, &player, path, &plan);
        tdRenderer* renderer = result == EXIT_FINE ? MakeRenderer(session, &player, &plan) : NULL;
        int camera = renderer != NULL ? FindCamera(session, &player, renderer) : -1;
        if (result != EXIT_FINE || camera == -2)
        {
            FailFile(session, input, player.report);
            result = EXIT_USAGE;
        }
        else if (renderer == NULL)
        {
            FailFile(session, input, player.report);
            Complain(session, "out of memory.");
            result = EXIT_IO;
        }
        else
        {
            result = WriteFrames(session, &player, renderer, &plan, path, stream, camera);
        }
        tdDestroyRenderer(renderer);
    }
    StopPlayer(&player);
    return result;
}

int RenderFile(const Session* session, const char* input, const char* path)
{
    return Render(session, input, path, NULL);
}

int RenderToStream(const Session* session, const char* input, FILE* stream)
{
    return Render(session, input, "-", stream);
}

int RunRender(Session* session)
{
    const Options* options = session->options;
    if (IsBatch(options))
    {
        return RunBatch(session, 0, RenderFile);
    }
    const char* path = options->values[OPTION_OUTPUT].text;
    return IsTerminalOutput(session, path) ? EXIT_USAGE : RenderFile(session, options->files[0], path);
}
