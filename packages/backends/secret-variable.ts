/*
 * Which variables of an environment hold a secret, by what they are called and by what is in them. Pure.
 */

/** Names by which secrets go: as their own word, or, where no ordinary word ends so, as the end of one (`PGPASSWORD`). */
const SECRET =
  /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|CREDENTIALS?|PAT)(?:_|$)|_(?:PWD|PASS)$|PASSW(?:OR)?D|PASSPHRASE|AUTHTOKEN|SSHPASS/i;
/** An address with a password in it, whatever its variable is called. */
const WITH_PASSWORD = /:\/\/[^/\s:@]*:([^/\s@]+)@/;

/** Whether a name, of a variable or a field, says that a secret follows. `apiKey` is read as `API_KEY`. */
export function namesSecret(name: string): boolean {
  return SECRET.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
}

/** The secrets in a variable: its value, or the address and the password in it; none when it holds none. */
export function secretsIn(name: string, value: string): readonly string[] {
  if (namesSecret(name)) return [value];
  const [, password] = WITH_PASSWORD.exec(value) ?? [];
  return password === undefined ? [] : [value, password];
}
