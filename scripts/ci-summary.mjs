// The closing line of a continuous-integration run, read from the report of the test runner.
import { readFileSync } from 'node:fs';

const [path = ''] = process.argv.slice(2);
try {
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const failed = report.numFailedTests + (report.success || report.numFailedTests > 0 ? 0 : 1);
  console.log(`${report.numPassedTests} passed, ${failed} failed`);
  process.exitCode = failed === 0 && report.numPassedTests > 0 ? 0 : 1;
} catch {
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
