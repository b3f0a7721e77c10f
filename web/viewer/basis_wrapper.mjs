// SPDX-FileCopyrightText: Tendon contributors
// SPDX-License-Identifier: MIT
//
// Makes three.js' wrapper of the Basis Universal transcoder run under the page's policy. The wrapper binds functions of the
// transcoder by generating source text, which the policy forbids; here closures bind them. Used when the page is built.
//
// See docs/decisions/165-ktx2-textures.md.

/** Binds a function of the transcoder: converts arguments and result, and releases what conversion allocated. */
function bindNative(name, complain, invoke, target, runDestructors, types, isMethod, usesStack, returns) {
  return function (...values) {
    if (values.length !== types.length - 2) {
      complain(`function ${name} called with ${values.length} arguments, expected ${types.length - 2}`);
    }
    const stack = usesStack ? [] : null;
    const given = isMethod ? [this, ...values] : values;
    const givenTypes = types.slice(isMethod ? 1 : 2);
    const converted = given.map((value, i) => givenTypes[i].toWireType(stack, value));
    const result = invoke(target, ...converted);
    if (usesStack) {
      runDestructors(stack);
    } else {
      givenTypes.forEach((type, i) => type.destructorFunction?.(converted[i]));
    }
    return returns ? types[0].fromWireType(result) : undefined;
  };
}

/** Binds calls from the transcoder to JavaScript; arguments lie one behind the other in its memory. */
function bindScript(types, returnType, isConstructor, wrapResult) {
  return (object, func, destructors, address) => {
    let at = address;
    const values = types.map((type) => {
      const value = type.readValueFromPointer(at);
      at += type.argPackAdvance;
      return value;
    });
    const result = isConstructor ? new func(...values) : func.call(object, ...values);
    return returnType.isVoid ? undefined : wrapResult(returnType, destructors, result);
  };
}

const replacements = [
  ["newFunc(Function,args)(...closureArgs)",
    "bindNative(humanName,throwBindingError,cppInvokerFunc,cppTargetFunc,runDestructors,argTypes,isClassMethodFunc,needsDestructorStack,returns)"],
  ["newFunc(Function,params)(...args)", "bindScript(types,retType,kind===1,emval_returnValue)"],
];

/** @returns the wrapper without generated code; throws if it is not the version that this file knows */
export function bindWithoutCode(wrapper) {
  const text = replacements.reduce((source, [generated, bound]) => {
    if (source.split(generated).length !== 2) {
      throw new Error(`the wrapper of the Basis transcoder needs ${generated} exactly once`);
    }
    return source.replace(generated, () => bound);
  }, wrapper);
  return `${bindNative}\n${bindScript}\n${text}`;
}
