import dgram from 'node:dgram';
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/*
 * Loaded before a program (`NODE_OPTIONS=--import`): whoever in it reaches for another machine, or asks for a name's
 * address, fails, and a line in the file HEARTH_TEST_NETWORK tells. Each guarded process writes a line there first.
 */

const path = process.env['HEARTH_TEST_NETWORK'] ?? '';
const note = (line: string): void => appendFileSync(path, `${line}\n`);

const HERE = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;

function refuse(what: string): never {
  note(`refused ${what}`);
  throw new Error(`This process may reach for nobody, and reached for ${what}.`);
}

/** The host of a `connect`, in any of its forms; `null` for a path of this machine. */
function hostOf(args: readonly unknown[]): string | null {
  const [first, second] = args;
  if (Array.isArray(first)) return hostOf(first);
  if (typeof first === 'object' && first !== null) {
    const options: { readonly path?: string; readonly host?: string } = first;
    return options.path === undefined ? (options.host ?? 'localhost') : null;
  }
  if (typeof first === 'string' && Number.isNaN(Number(first))) return null;
  return typeof second === 'string' ? second : 'localhost';
}

/** Puts a check of its arguments before a function of a module. */
function before(module: object, name: string, check: (args: readonly unknown[]) => void): void {
  const real: unknown = Reflect.get(module, name);
  if (typeof real !== 'function') throw new Error(`There is no ${name} to be guarded.`);
  Reflect.set(module, name, function guarded(this: unknown, ...args: unknown[]): unknown {
    check(args);
    return Reflect.apply(real, this, args);
  });
}

note(`guarded ${process.argv[1] ?? ''}`);
before(net.Socket.prototype, 'connect', args => {
  const host = hostOf(args);
  if (host !== null && !HERE.test(host)) refuse(host);
});
for (const module of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of Object.getOwnPropertyNames(module).filter(one =>
    /^(?:lookup|resolve|reverse)/.test(one),
  )) {
    before(module, name, ([asked]) => {
      if (!HERE.test(String(asked))) refuse(String(asked));
    });
  }
}
before(dgram, 'createSocket', () => refuse('a datagram socket'));
syncBuiltinESMExports();
