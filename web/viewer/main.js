// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// The script of the page that `tendon view` writes.
import { startViewer } from "./start.js";

startViewer().catch((error) => console.error(error));
