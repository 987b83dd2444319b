/** A permission that a person granted for good. */
export interface PermissionRule {
  readonly tool: string;
  readonly rule: string;
  readonly grant: 'always' | 'deny';
}
