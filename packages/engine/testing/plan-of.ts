import { compileBundle } from '@hearth/language/compile/compile.ts';
import { type Plan, runnable } from '../runnable.ts';

/** The plan of a source that the engine can run whole; throws what is wrong with it otherwise. */
export function planOf(main: string): Plan {
  const { plan, diagnostics } = compileBundle({ main });
  const wrong = diagnostics.filter(one => one.severity === 'error');
  const narrowed = plan === null ? null : runnable(plan);
  if (wrong.length > 0 || narrowed?.plan == null) {
    const why = [...wrong.map(one => `${one.code} ${one.message}`), ...(narrowed?.missing ?? [])];
    throw new Error(`The source does not run: ${why.join('; ')}`);
  }
  return narrowed.plan;
}
