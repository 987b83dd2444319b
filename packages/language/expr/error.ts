/** Why an expression has no value: the only thing that evaluating can fail with. */
export class ExprError extends Error {
  override readonly name = 'ExprError';
}
