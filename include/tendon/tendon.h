// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// tendon.h: all public headers. A program that uses the engine alone includes physics.h and joint.h.
#pragma once

#include "asset.h"
#include "bake.h"
#include "base.h"
#include "clip.h"
#include "convert.h"
#include "debug.h"
#include "describe.h"
#include "geometry.h"
#include "history.h"
#include "ik.h"
#include "joint.h"
#include "limits.h"
#include "motion.h"
#include "physics.h"
#include "pose.h"
#include "record.h"
#include "render.h"
#include "report.h"
#include "spring.h"
#include "stage.h"
#include "summary.h"
#include "trace.h"
#include "vecmath.h"
