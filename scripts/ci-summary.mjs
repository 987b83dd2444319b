// The closing line of a continuous-integration run, read from the reports of the test runner: what passed and what failed in
// all of them together. A report that is not there, or of no test, is a failure.
import { readFileSync } from 'node:fs';

function counted(path) {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    const passed = report.numPassedTests;
    const failed = report.numFailedTests + (report.success || report.numFailedTests > 0 ? 0 : 1);
    return { passed, failed: passed === 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const reports = process.argv.slice(2).map(counted);
const sum = key => reports.reduce((total, report) => total + report[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = reports.length > 0 && sum('failed') === 0 ? 0 : 1;
