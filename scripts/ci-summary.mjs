// The closing lines of a continuous-integration run, read from the reports of the test runner: each test that failed, with
// the first line of why, and what passed and what failed in all of them together. They come last, because whoever reads the
// output of such a run is often shown no more than its end. A report that is not there, or of no test, is a failure.
import { readFileSync } from 'node:fs';

const SHOWN = 60;
const WIDTH = 300;

function firstLine(messages) {
  return (messages?.[0] ?? '').split('\n', 1)[0].slice(0, WIDTH);
}

function failuresOf(report) {
  const files = report.testResults ?? [];
  return files.flatMap(file => {
    const failed = file.assertionResults.filter(test => test.status === 'failed');
    if (failed.length === 0 && file.status === 'failed') {
      return [`${file.name}: ${firstLine([file.message])}`];
    }
    return failed.map(test => `${file.name} > ${test.fullName}: ${firstLine(test.failureMessages)}`);
  });
}

function counted(path) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    const passed = report.numPassedTests;
    const failed = report.numFailedTests + (report.success || report.numFailedTests > 0 ? 0 : 1);
    return { passed, failed: passed === 0 && failed === 0 ? 1 : failed, failures: failuresOf(report) };
  } catch {
    return { passed: 0, failed: 1, failures: [`${path}: no report of the tests that can be read`] };
  }
}

const reports = process.argv.slice(2).map(counted);
const failures = reports.flatMap(report => report.failures);
for (const line of failures.slice(0, SHOWN)) {
  console.log(`failed: ${line.replace(`${process.cwd()}/`, '')}`);
}
if (failures.length > SHOWN) {
  console.log(`failed: and ${failures.length - SHOWN} more`);
}
const sum = key => reports.reduce((total, report) => total + report[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = reports.length > 0 && sum('failed') === 0 ? 0 : 1;
