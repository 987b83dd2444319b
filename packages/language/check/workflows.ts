import type { Report } from '../compile/report.ts';
import type { FileSyntax } from '../parse/file.ts';

/** C006, C007: a file has exactly one workflow. It is the only rule for a file without one. */
export function checkWorkflows(file: FileSyntax, report: Report): void {
  const [first, ...others] = file.declarations.filter(one => one.kind === 'workflow');
  if (first === undefined) {
    report.error('C006', 'the file declares no workflow', { at: { line: 1, column: 1 } });
  }
  for (const other of others) {
    report.error('C007', `a second workflow \`${other.name.value}\` is declared; a file has one`, {
      at: other.at,
    });
  }
}
