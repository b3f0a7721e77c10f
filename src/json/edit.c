// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Edits are a list, sorted when the document is written. The writer descends only into containers with edits
// and copies everything else in long runs.
//
// White space of new members and elements:
// - beside other children: as between the first two, or as before the only one
// - in an empty container: none, unless its parent has one child per line; then one step deeper
#include "edit.h"

#include "document.h"

#include <string.h>

typedef enum Kind
{
    INSERT_BEFORE, // `value` is the sibling
    REPLACE,
    REMOVE,
    ADD, // `value` is the container
} Kind;

typedef struct Op
{
    int value;
    Kind kind;
    int number;              // order of the calls
    size_t key, keyLength;   // a JSON string in the pool; length 0: none
    size_t text, textLength; // in the pool
} Op;

struct tdJsonEdit
{
    tdAllocator allocator;
    const tdJson* json;
    tdArray(Op) ops;
    tdText pool;
    bool failed;
};

tdJsonEdit* tdCreateJsonEdit(const tdJson* json, const tdAllocator* allocator)
{
    tdAllocator resolved = tdAllocator_Resolve(allocator);
    tdJsonEdit* edit = tdAllocateZeroed(&resolved, sizeof(tdJsonEdit), _Alignof(tdJsonEdit));
    if (edit != NULL)
    {
        edit->allocator = resolved;
        edit->json = json;
        tdText_Init(&edit->pool, &resolved);
    }
    return edit;
}

void tdDestroyJsonEdit(tdJsonEdit* edit)
{
    if (edit != NULL)
    {
        tdAllocator allocator = edit->allocator;
        tdArray_Free(&allocator, &edit->ops);
        tdText_Free(&edit->pool);
        tdRelease(&allocator, edit, sizeof(tdJsonEdit));
    }
}

static void AddOp(tdJsonEdit* edit, Kind kind, int value, const char* key, const char* text, size_t length)
{
    TD_ASSERT(tdJson_GetType(edit->json, value) != TD_JSON_MISSING);
    if (tdJson_GetType(edit->json, value) == TD_JSON_MISSING)
    {
        return;
    }
    Op op = {.value = value, .kind = kind, .number = edit->ops.count, .key = edit->pool.length};
    if (key != NULL)
    {
        tdText_AppendJsonString(&edit->pool, key, strlen(key));
        op.keyLength = edit->pool.length - op.key;
    }
    op.text = edit->pool.length;
    op.textLength = length;
    tdText_Append(&edit->pool, text, length);
    if (edit->pool.failed || !tdArray_Push(&edit->allocator, &edit->ops, op))
    {
        edit->failed = true;
    }
}

void tdJsonEdit_Replace(tdJsonEdit* edit, int value, const char* text, size_t length)
{
    AddOp(edit, REPLACE, value, NULL, text, length);
}

void tdJsonEdit_Remove(tdJsonEdit* edit, int value)
{
    TD_ASSERT(value != 0);
    if (value != 0)
    {
        AddOp(edit, REMOVE, value, NULL, "", 0);
    }
}

void tdJsonEdit_AddMember(tdJsonEdit* edit, int object, const char* key, const char* text, size_t length)
{
    TD_ASSERT(tdJson_IsObject(edit->json, object));
    AddOp(edit, ADD, object, key, text, length);
}

void tdJsonEdit_AddElement(tdJsonEdit* edit, int array, const char* text, size_t length)
{
    TD_ASSERT(tdJson_IsArray(edit->json, array));
    AddOp(edit, ADD, array, NULL, text, length);
}

void tdJsonEdit_InsertBefore(tdJsonEdit* edit, int sibling, const char* key, const char* text, size_t length)
{
    TD_ASSERT(sibling > 0 && (key != NULL) == (edit->json->values[sibling].key != 0));
    AddOp(edit, INSERT_BEFORE, sibling, key, text, length);
}

void tdJsonEdit_Set(tdJsonEdit* edit, int object, const char* key, const char* text, size_t length)
{
    int member = tdJson_Find(edit->json, object, key);
    if (member >= 0)
    {
        tdJsonEdit_Replace(edit, member, text, length);
    }
    else
    {
        tdJsonEdit_AddMember(edit, object, key, text, length);
    }
}

bool tdJsonEdit_IsEmpty(const tdJsonEdit* edit)
{
    return edit->ops.count == 0 && !edit->failed;
}

// Writing.

typedef struct Span
{
    const char* data;
    size_t length;
} Span;

typedef struct Writer
{
    const tdJson* json;
    const char* source;
    const tdJsonValue* values;
    const char* pool;
    const Op* ops;
    int opCount;
    int next;      // first op not yet written
    size_t cursor; // the source is written up to here
    tdText* out;
} Writer;

static void CopyTo(Writer* writer, size_t offset)
{
    tdText_Append(writer->out, writer->source + writer->cursor, offset - writer->cursor);
    writer->cursor = offset;
}

/// The start of a child: its key if it is a member.
static size_t GetChildStart(const tdJsonValue* child)
{
    return child->key != 0 ? child->key : child->start;
}

static void WriteSpan(Writer* writer, Span span)
{
    tdText_Append(writer->out, span.data, span.length);
}

/// The text between key and value in the style of this document: as in `member`.
static Span GetColon(const Writer* writer, int member)
{
    if (member < 0 || writer->values[member].key == 0)
    {
        return (Span){":", 1};
    }
    size_t keyStart, keyEnd;
    tdJson_GetKeyRange(writer->json, member, &keyStart, &keyEnd);
    return (Span){writer->source + keyEnd, writer->values[member].start - keyEnd};
}

static void WriteNew(Writer* writer, const Op* op, Span colon)
{
    if (op->keyLength != 0)
    {
        tdText_Append(writer->out, writer->pool + op->key, op->keyLength);
        WriteSpan(writer, colon);
    }
    tdText_Append(writer->out, writer->pool + op->text, op->textLength);
}

/// The last Replace or Remove of a value, NULL if there is none. Ops of the value start at `first`.
static const Op* FindFate(const Writer* writer, int first, int value)
{
    const Op* fate = NULL;
    for (int i = first; i < writer->opCount && writer->ops[i].value == value; ++i)
    {
        const Op* op = &writer->ops[i];
        if ((op->kind == REPLACE || op->kind == REMOVE) && (fate == NULL || op->number > fate->number))
        {
            fate = op;
        }
    }
    return fate;
}

static void SkipOps(Writer* writer, uint32_t end)
{
    while (writer->next < writer->opCount && (uint32_t)writer->ops[writer->next].value < end)
    {
        writer->next += 1;
    }
}

static bool HasOps(const Writer* writer, uint32_t end)
{
    return writer->next < writer->opCount && (uint32_t)writer->ops[writer->next].value < end;
}

typedef struct Frame
{
    int container;
    int parent;
    int child;            // the current one, -1: done
    int previous;         // child before it, -1: none
    int addFirst, addEnd; // ops that add to this container
    bool anyKept;         // something was written that a separator must follow
    Span separator, colon;
} Frame;

/// The separator for new children: comma and white space.
static Span GetSeparator(const Writer* writer, int container)
{
    // The separator between the first two children; other pairs differ only in hand-written files.
    int first = tdJson_GetFirst(writer->json, container);
    int second = tdJson_GetNext(writer->json, first);
    if (second >= 0)
    {
        size_t end = writer->values[first].end;
        return (Span){writer->source + end, GetChildStart(&writer->values[second]) - end};
    }
    return (Span){NULL, 0}; // a comma, then the white space before the only child
}

static void WriteSeparator(Writer* writer, const Frame* frame)
{
    if (frame->separator.data != NULL)
    {
        WriteSpan(writer, frame->separator);
        return;
    }
    tdText_AppendChar(writer->out, ',');
    int first = tdJson_GetFirst(writer->json, frame->container);
    if (first >= 0)
    {
        size_t open = (size_t)writer->values[frame->container].start + 1;
        size_t gap = GetChildStart(&writer->values[first]) - open;
        tdText_Append(writer->out, writer->source + open, gap);
        if (gap == 0 && frame->colon.length > 1)
        {
            tdText_AppendChar(writer->out, ' '); // {"a": 1} has spaces, so the style is not compact
        }
    }
}

/// Starts a container. The remaining ops of the container add to it: a replaced one is not opened, insertions
/// are written before.
static Frame OpenFrame(Writer* writer, int container, int parent)
{
    Frame frame = {.container = container, .parent = parent, .previous = -1};
    frame.child = tdJson_GetFirst(writer->json, container);
    frame.addFirst = writer->next;
    while (writer->next < writer->opCount && writer->ops[writer->next].value == container)
    {
        writer->next += 1;
    }
    frame.addEnd = writer->next;
    frame.separator = GetSeparator(writer, container);
    int model = frame.child >= 0 && writer->values[frame.child].key != 0 ? frame.child : container;
    if (writer->values[model].key == 0)
    {
        model =
            tdJson_GetFirst(writer->json, 0); // an empty object in an array: as at the top of the document
    }
    frame.colon = GetColon(writer, model);
    return frame;
}

/// Writes the new children of an empty container: [open gap] a , [gap] b [close gap].
static void FillEmpty(Writer* writer, const Frame* frame)
{
    const tdJsonValue* container = &writer->values[frame->container];
    CopyTo(writer, (size_t)container->start + 1);
    Span gap = {"", 0}, step = {"", 0}, space = {"", 0};
    if (frame->parent >= 0)
    {
        const tdJsonValue* parent = &writer->values[frame->parent];
        const tdJsonValue* sibling = &writer->values[frame->parent + 1];
        size_t open = (size_t)parent->start + 1;
        gap = (Span){writer->source + open, GetChildStart(sibling) - open};
        if (gap.length == 0 || memchr(gap.data, '\n', gap.length) == NULL)
        {
            gap.length = 0;
        }
        else
        {
            // One step is the indentation of the parent's children relative to its closing bracket.
            size_t close = (size_t)parent->end - 1;
            while (close > 0 && (writer->source[close - 1] == ' ' || writer->source[close - 1] == '\t'))
            {
                --close;
            }
            size_t outer = (size_t)parent->end - 1 - close, inner = 0;
            while (inner < gap.length &&
                   (gap.data[gap.length - 1 - inner] == ' ' || gap.data[gap.length - 1 - inner] == '\t'))
            {
                ++inner;
            }
            step = inner > outer ? (Span){gap.data + gap.length - (inner - outer), inner - outer}
                                 : (Span){"  ", 2};
        }
    }
    if (gap.length == 0 && frame->colon.length > 1)
    {
        space = (Span){" ", 1};
    }
    for (int i = frame->addFirst; i < frame->addEnd; ++i)
    {
        if (i > frame->addFirst)
        {
            tdText_AppendChar(writer->out, ',');
            WriteSpan(writer, space);
        }
        WriteSpan(writer, gap);
        WriteSpan(writer, step);
        WriteNew(writer, &writer->ops[i], frame->colon);
    }
    WriteSpan(writer, gap);
    writer->cursor = (size_t)container->end - 1;
}

/// Ends a container: writes its additions and handles the case that nothing is left.
static void CloseFrame(Writer* writer, const Frame* frame)
{
    const tdJsonValue* container = &writer->values[frame->container];
    bool hasAdds = frame->addFirst < frame->addEnd;
    if (frame->previous < 0)
    {
        if (hasAdds)
        {
            FillEmpty(writer, frame);
        }
        return;
    }
    if (!frame->anyKept && !hasAdds)
    {
        CopyTo(writer, (size_t)container->start + 1);
        writer->cursor = (size_t)container->end - 1;
        return;
    }
    size_t lastEnd = writer->values[frame->previous].end;
    bool separate = frame->anyKept;
    if (!separate)
    {
        CopyTo(writer, GetChildStart(&writer->values[frame->container + 1]));
        writer->cursor = lastEnd;
    }
    for (int i = frame->addFirst; i < frame->addEnd; ++i)
    {
        if (i == frame->addFirst && separate)
        {
            CopyTo(writer, lastEnd);
        }
        if (separate)
        {
            WriteSeparator(writer, frame);
        }
        WriteNew(writer, &writer->ops[i], frame->colon);
        separate = true;
    }
}

/// Writes one child's own edits. Returns true if the writer must go into it.
static bool WriteChild(Writer* writer, Frame* frame)
{
    int child = frame->child;
    const tdJsonValue* value = &writer->values[child];
    size_t start = GetChildStart(value);
    size_t previousEnd = frame->previous >= 0 ? writer->values[frame->previous].end : start;
    const Op* fate = FindFate(writer, writer->next, child);
    bool removed = fate != NULL && fate->kind == REMOVE;
    if (!removed && !frame->anyKept && frame->previous >= 0)
    {
        // All children before it are removed: it becomes the first.
        CopyTo(writer, GetChildStart(&writer->values[frame->container + 1]));
        writer->cursor = start;
    }
    for (int i = writer->next; i < writer->opCount && writer->ops[i].value == child; ++i)
    {
        const Op* op = &writer->ops[i];
        if (op->kind != INSERT_BEFORE)
        {
            continue;
        }
        if (!removed)
        {
            CopyTo(writer, start);
            WriteNew(writer, op, frame->colon);
            WriteSeparator(writer, frame);
        }
        else
        {
            // It replaces the removed child.
            size_t place =
                frame->anyKept ? previousEnd : GetChildStart(&writer->values[frame->container + 1]);
            if (writer->cursor < place)
            {
                CopyTo(writer, place);
            }
            if (frame->anyKept)
            {
                WriteSeparator(writer, frame);
            }
            WriteNew(writer, op, frame->colon);
            writer->cursor = value->end;
            frame->anyKept = true;
        }
    }
    if (removed)
    {
        if (frame->anyKept && writer->cursor < value->end)
        {
            CopyTo(writer, previousEnd);
            writer->cursor = value->end;
        }
    }
    else
    {
        frame->anyKept = true;
        if (fate != NULL)
        {
            CopyTo(writer, value->start);
            tdText_Append(writer->out, writer->pool + fate->text, fate->textLength);
            writer->cursor = value->end;
        }
    }
    if (fate != NULL)
    {
        SkipOps(writer, value->next);
        return false;
    }
    while (writer->next < writer->opCount && writer->ops[writer->next].value == child &&
           writer->ops[writer->next].kind == INSERT_BEFORE)
    {
        writer->next += 1;
    }
    return HasOps(writer, value->next);
}

static void WriteTree(Writer* writer, Frame* frames)
{
    const Op* fate = FindFate(writer, 0, 0);
    if (fate != NULL)
    {
        CopyTo(writer, writer->values[0].start);
        tdText_Append(writer->out, writer->pool + fate->text, fate->textLength);
        writer->cursor = writer->values[0].end;
        return;
    }
    int depth = 0;
    frames[depth++] = OpenFrame(writer, 0, -1);
    while (depth > 0)
    {
        Frame* frame = &frames[depth - 1];
        if (frame->child < 0)
        {
            CloseFrame(writer, frame);
            --depth;
            continue;
        }
        int child = frame->child;
        bool enter = WriteChild(writer, frame);
        frame->previous = child;
        frame->child = tdJson_GetNext(writer->json, child);
        if (enter)
        {
            frames[depth] = OpenFrame(writer, child, frame->container);
            ++depth;
        }
    }
}

static bool IsOpLess(const Op* a, const Op* b)
{
    if (a->value != b->value)
    {
        return a->value < b->value;
    }
    return a->kind != b->kind ? a->kind < b->kind : a->number < b->number;
}

/// Bottom-up merge sort; `ops` and `other` change roles. Returns the sorted one.
static Op* SortOps(Op* ops, Op* other, int count)
{
    for (int width = 1; width<count; width = width> count / 2 ? count : 2 * width)
    {
        for (int start = 0; start < count; start += 2 * width)
        {
            int middle = count - start < width ? count : start + width;
            int end = count - middle < width ? count : middle + width;
            int a = start, b = middle;
            for (int i = start; i < end; ++i)
            {
                bool takeB = b < end && (a >= middle || IsOpLess(&ops[b], &ops[a]));
                other[i] = takeB ? ops[b++] : ops[a++];
            }
            if (end == count)
            {
                break;
            }
        }
        Op* swap = ops;
        ops = other;
        other = swap;
    }
    return ops;
}

bool tdJsonEdit_Write(const tdJsonEdit* edit, tdText* out)
{
    if (edit->failed)
    {
        return false;
    }
    size_t opsSize = (size_t)edit->ops.count * sizeof(Op), framesSize = TD_JSON_MAX_DEPTH * sizeof(Frame);
    Op* ops = tdAllocate(&edit->allocator, 2 * opsSize, _Alignof(Op));
    Frame* frames = tdAllocate(&edit->allocator, framesSize, _Alignof(Frame));
    bool written = false;
    if (ops != NULL && frames != NULL &&
        tdText_Reserve(out,
                       out->length + edit->json->size + edit->pool.length + 16 * (size_t)edit->ops.count))
    {
        if (edit->ops.count > 0)
        {
            memcpy(ops, edit->ops.data, opsSize);
        }
        Writer writer = {
            .json = edit->json,
            .source = edit->json->source,
            .values = edit->json->values,
            .pool = edit->pool.data,
            .ops = SortOps(ops, ops + edit->ops.count, edit->ops.count),
            .opCount = edit->ops.count,
            .out = out,
        };
        if (edit->ops.count > 0)
        {
            WriteTree(&writer, frames);
        }
        CopyTo(&writer, edit->json->size);
        written = !out->failed;
    }
    tdRelease(&edit->allocator, frames, framesSize);
    tdRelease(&edit->allocator, ops, 2 * opsSize);
    return written;
}
