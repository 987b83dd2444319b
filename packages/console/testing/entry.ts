import { TestService } from '@hearth/client/testing/service.ts';
import { runConsole } from '../main.ts';

/*
 * For tests: a console in a process and a terminal of its own. `fault` as the argument makes it fail while it runs.
 */
const service = await TestService.start();
service.world.send('');
service.world.reply('Hello, I am Nexie.', ['Show the board']);
if (process.argv[2] === 'fault') {
  service.world.onEvent = () => {};
  setTimeout(() => {
    throw new Error('a fault in the test');
  }, 300);
}
const code = await runConsole({
  client: service.client(),
  conversation: null,
  workspace: process.cwd(),
  env: process.env,
});
process.exit(code);
