/** A reference `{{ path }}` or `{{ !path }}`; the path holds its namespace first. `raw` is the `!` form. */
export interface TemplateRef {
  readonly path: readonly string[];
  readonly raw: boolean;
  /** The text as written, when it is not just `{{path}}` or `{{!path}}`: a missing value leaves it in place. */
  readonly written?: string;
}

/** A parsed template: literal text and references, in order. Adjacent texts are merged, empty ones left out. */
export type Template = readonly (string | TemplateRef)[];
