// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Checks of arguments. A call that cannot work throws a TendonError with the code USAGE.

export class TendonError extends Error {
  constructor(code, message, findings = []) {
    super(message);
    this.name = "TendonError";
    this.code = code;
    this.findings = findings;
  }
}

export function usage(message) {
  return new TendonError("USAGE", message);
}

/** A value in a message; never throws. */
function show(value) {
  try {
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  } catch {
    return typeof value;
  }
}

const isSingle = (value) => typeof value === "number" && Number.isFinite(Math.fround(value));

/** Numbers for the engine. Throws unless each is finite in single precision. */
export function takeNumbers(what, values) {
  if (values === null || typeof values !== "object" || typeof values[Symbol.iterator] !== "function") {
    throw usage(`${what} must be an array of numbers`);
  }
  const numbers = [...values];
  if (!numbers.every(isSingle)) throw usage(`${what} must be finite`);
  return numbers;
}

/** One finite number, at least `least`. */
export function takeNumber(what, value, least = -Infinity) {
  if (!isSingle(value)) throw usage(`${what} must be finite`);
  if (value < least) throw usage(`${what} must be at least ${least}`);
  return value;
}

/** A finite number above zero, also in single precision. */
export function takePositive(what, value) {
  if (!(isSingle(value) && Math.fround(value) > 0)) throw usage(`${what} must be above zero`);
  return value;
}

/** A number that may be infinite, at least `least`. */
export function takeBound(what, value, least = -Infinity) {
  if (typeof value !== "number" || Number.isNaN(value)) throw usage(`${what} must be a number`);
  if (value < least) throw usage(`${what} must be at least ${least}`);
  return Number.isFinite(value) ? takeNumber(what, value) : value;
}

/** Gives the engine the limits of the next file or stage. */
export function giveLimits(instance, limits = {}) {
  instance.calls.td_limits_reset();
  for (const [name, value] of Object.entries(takeOptions(limits))) {
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw usage(`the limit ${show(name)} must be a number, at least 0`);
    if (instance.withTexts([name], (text) => instance.calls.td_limits_set(text, value)) === 0) throw usage(`there is no limit ${show(name)}`);
  }
}

/** A vector or quaternion for the engine, as an array of its components. */
export function takeVector(what, values, length) {
  const numbers = takeNumbers(what, values ?? []);
  if (numbers.length !== length) throw usage(`${what} must have ${length} components`);
  return numbers;
}

/** A rotation: any quaternion but zero. The engine normalises it. */
export function takeRotation(what, values) {
  const numbers = takeVector(what, values, 4);
  if (!(Math.hypot(...numbers) > 1e-12)) throw usage(`${what} must not be zero`);
  return numbers;
}

/** A direction: any vector but zero. */
export function takeDirection(what, values) {
  const numbers = takeVector(what, values, 3);
  if (!(Math.hypot(...numbers) > 1e-12)) throw usage(`${what} must not be zero`);
  return numbers;
}

/** An index below `count`. */
export function takeIndex(what, value, count) {
  if (!Number.isInteger(value) || value < 0 || value >= count) throw usage(`there is no ${what} ${show(value)}; there are ${count}`);
  return value;
}

/** An integer from `least` to `most`. */
export function takeInteger(what, value, least, most) {
  if (!Number.isInteger(value) || value < least || value > most) throw usage(`${what} must be an integer from ${least} to ${most}`);
  return value;
}

/** Position of a name in a list. */
export function takeChoice(what, value, names) {
  const place = names.indexOf(value);
  if (place < 0) throw usage(`${what} must be one of ${names.join(", ")}, not ${show(value)}`);
  return place;
}

/** An object of options. */
export function takeOptions(value) {
  if (value === null || typeof value !== "object") throw usage(`options must be an object, not ${show(value)}`);
  return value;
}

export function takeText(what, value) {
  if (typeof value !== "string") throw usage(`${what} must be a text`);
  return value;
}

/** An object of one of this module's classes. */
export function takeInstance(what, value, Type) {
  if (!(value instanceof Type)) throw usage(`${what} must be a ${Type.name}`);
  return value;
}

/** Errors that functions of the caller threw; they pass through unchanged. */
const foreign = new WeakSet();

/** Calls a function of the caller. */
export function callUser(run, ...args) {
  try {
    return run(...args);
  } catch (error) {
    if (error !== null && typeof error === "object") foreign.add(error);
    throw error;
  }
}

function convert(error, name) {
  if (error instanceof TendonError || !(error instanceof TypeError || error instanceof RangeError) || foreign.has(error)) return error;
  const converted = usage(`${name}: ${error.message}`);
  converted.cause = error;
  return converted;
}

function guard(name, run) {
  return function (...args) {
    try {
      const result = run.apply(this, args);
      if (!(result instanceof Promise)) return result;
      return result.catch((error) => {
        throw convert(error, name);
      });
    } catch (error) {
      throw convert(error, name);
    }
  };
}

/**
 * Gives the methods and accessors of classes a last resort: the TypeErrors and RangeErrors of JavaScript that a malformed
 * argument causes become errors with the code USAGE. Names with an underscore are internal and stay as they are.
 */
export function guardClasses(...classes) {
  for (const { name, prototype } of classes) {
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (key === "constructor" || key.startsWith("_")) continue;
      for (const part of ["value", "get", "set"]) {
        if (typeof property[part] === "function") property[part] = guard(`${name}.${key}`, property[part]);
      }
      Object.defineProperty(prototype, key, property);
    }
  }
}
