import type { Model } from '../compile/model.ts';
import type { Report } from '../compile/report.ts';

/** Judges one aspect of a model. Rules are independent: each reports only its own codes. */
export type Rule = (model: Model, report: Report) => void;
