/** A value at run time: any JSON value. Integers are numbers without a fraction. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** A named set of values: a node's input, its output, the vars. */
export type Values = { [key: string]: Value };
