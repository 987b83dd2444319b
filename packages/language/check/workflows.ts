import type { Report } from '../compile/report.ts';
import type { FileSyntax } from '../parse/file.ts';

/** C006, C007: a file has exactly one workflow. It is the only rule for a file without one. */
export function checkWorkflows(file: FileSyntax, report: Report): void {
  const [first, second, ...others] = file.declarations.filter(one => one.kind === 'workflow');
  if (first === undefined) {
    report.error('C006', 'the file declares no workflow', {
      at: { line: 1, column: 1 },
      fix: 'add `workflow NAME:` with an `entry` and edges',
    });
  }
  if (second) {
    const count = others.length + 2;
    report.error(
      'C007',
      `the file declares ${count} workflows; only \`${first?.name.value}\`, the first, counts`,
      {
        at: second.at,
        fix: 'move each into a file of its own',
      },
    );
  }
}
