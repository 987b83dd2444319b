/* Prepares a home without root's powers and tells what became of it, as JSON. Everything is loaded before they go. */
import { prepareHome } from '@hearth/service/home.ts';

const [home = ''] = process.argv.slice(2);
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65534);
  process.setuid?.(65534);
}
try {
  process.stdout.write(JSON.stringify({ path: await prepareHome(home) }));
} catch (error) {
  const { code, message } = error as { code: string; message: string };
  process.stdout.write(JSON.stringify({ code, message }));
}
