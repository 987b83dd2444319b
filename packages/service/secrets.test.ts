import { namesSecret } from '@hearth/backends/secret-variable.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REDACTED, Redactor, withoutSecrets } from './secrets.ts';

test.each([
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'AWS_SECRET_ACCESS_KEY',
  'GITHUB_TOKEN',
  'DB_PASSWORD',
  'apiKey',
  'token',
  'client_secret',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'PGPASSWORD',
  'MYSQL_PWD',
  'GITHUB_PAT',
  'NPM_AUTHTOKEN',
])('%s names a secret', name => expect(namesSecret(name)).toBe(true));
test.each([
  'PATH',
  'PWD',
  'OLDPWD',
  'SSH_AUTH_SOCK',
  'HOME',
  'KEYBOARD',
  'tokens',
  'MONKEY',
  'HEARTH_MODEL',
  'event',
  'keep',
])('%s names none', name => expect(namesSecret(name)).toBe(false));

describe('by value', () => {
  const redactor = new Redactor({ OPENAI_API_KEY: 'sk-0123456789', PATH: '/usr/bin:/bin', X_TOKEN: 'short' });

  test('wherever it stands, and nothing else is touched', () => {
    const value = {
      text: 'key sk-0123456789!',
      list: ['sk-0123456789sk-0123456789'],
      'sk-0123456789': 1,
      n: 7,
      no: null,
    };
    expect(redactor.value(value)).toEqual({
      text: `key ${REDACTED}!`,
      list: [REDACTED + REDACTED],
      [REDACTED]: 1,
      n: 7,
      no: null,
    });
    const clean = { path: '/usr/bin:/bin', short: 'short' };
    expect(redactor.value(clean)).toBe(clean);
  });

  test('of two secrets, one a part of the other, none is left in part', () => {
    const both = new Redactor({ A_KEY: 'abcdefgh', B_KEY: 'abcdefgh-ijkl' });
    expect(both.text('abcdefgh-ijkl abcdefgh')).toBe(`${REDACTED} ${REDACTED}`);
  });

  test('no text that was redacted holds the secret', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), fc.array(fc.string()), (secret, parts) => {
        fc.pre(secret.trim().length >= 8 && !REDACTED.includes(secret.trim()));
        const kept = new Redactor({ A_KEY: secret }).text(parts.join(secret.trim()));
        expect(kept.split(REDACTED).some(part => part.includes(secret.trim()))).toBe(false);
      }),
    );
  });
});

test('an environment is handed on without secrets', () => {
  const database = 'postgres://ada:correct-horse@db/orchard';
  const env = { PATH: '/bin', A_KEY: 'x', EMPTY: undefined, DATABASE: database };
  expect(withoutSecrets(env)).toEqual({ PATH: '/bin' });
  expect(new Redactor(env).text(`${database}: no login with correct-horse`)).toBe(
    `${REDACTED}: no login with ${REDACTED}`,
  );
});
