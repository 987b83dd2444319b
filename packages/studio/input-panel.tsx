import { whatAMessageDoes } from '@hearth/client/ways.ts';
import { JsonObject } from '@hearth/protocol/json.ts';
import type { InputPause } from '@hearth/protocol/pause.ts';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { Actions } from './actions.tsx';
import { wordsIdOf } from './item-view.tsx';
import type { PanelProps } from './pause-panel.tsx';
import { PANEL_NOTE, pressed } from './pressed.ts';
import { oneLine } from './text.ts';
import { HEADING } from './words.ts';

/** A field of the form; the service reads what was typed by the schema. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  /** What may be chosen; `null` where it is typed. */
  readonly choices: readonly string[] | null;
}

/** Data that an execution lacks: a field for each, and what else may be done. */
export function InputPanel({
  input,
  others,
  desk,
  busy,
  words,
  onAnswered,
}: PanelProps & { input: InputPause }): ReactNode {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [fault, setFault] = useState<string | null>(null);
  const id = useId();
  const fields = fieldsOf(input);
  const more = others === 0 ? '' : `, ${others} more after it`;
  const send = async (): Promise<void> => {
    if (busy) return;
    const missing = fields.find(field => field.required && (values[field.name] ?? '').trim() === '');
    if (missing !== undefined) return setFault(`“${missing.label}” is needed.`);
    setFault(null);
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
    if (await desk.decide(input, { do: 'answer', fields: given })) onAnswered();
  };
  return (
    <section
      className="panel"
      aria-labelledby={id}
      aria-describedby={wordsIdOf(input.id)}
      data-pause={input.id}
    >
      <h2 id={id}>
        {HEADING.input} <span className="note">{`${input.id}${more}`}</span>
      </h2>
      <div className="answer">
        {fields.map(field => (
          <FieldView
            key={field.name}
            field={field}
            value={values[field.name] ?? ''}
            onChange={value => setValues({ ...values, [field.name]: value })}
          />
        ))}
        <p className="fault" role="alert">
          {fault}
        </p>
        <div className="chips">
          <button
            type="button"
            className="chip strong"
            aria-disabled={busy}
            onClick={pressed(() => void send())}
          >
            Send the data
          </button>
        </div>
      </div>
      <Actions pause={input} desk={desk} busy={busy} words={words} onTaken={onAnswered} />
      <p className="note" id={PANEL_NOTE}>
        {busy ? 'Sending your answer…' : `Only these buttons answer; ${whatAMessageDoes(input)}.`}
      </p>
    </section>
  );
}

function FieldView({
  field,
  value,
  onChange,
}: {
  field: Field;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const id = useId();
  return (
    <>
      <label htmlFor={id}>
        {field.label}
        {field.required ? '' : ' (not needed)'}
      </label>
      {field.choices === null ? (
        <textarea
          id={id}
          rows={1}
          value={value}
          required={field.required}
          onChange={event => onChange(event.target.value)}
        />
      ) : (
        <select
          id={id}
          value={value}
          required={field.required}
          onChange={event => onChange(event.target.value)}
        >
          <option value="">Choose…</option>
          {field.choices.map(choice => (
            <option key={choice} value={choice}>
              {oneLine(choice)}
            </option>
          ))}
        </select>
      )}
    </>
  );
}

function fieldsOf({ fields }: InputPause): readonly Field[] {
  const properties = JsonObject.safeParse(fields['properties']).data ?? {};
  const required: readonly unknown[] = Array.isArray(fields['required']) ? fields['required'] : [];
  return Object.entries(properties).map(([name, schema]) => {
    const about = JsonObject.safeParse(schema).data ?? {};
    const words = about['enum'];
    const description = about['description'];
    return {
      name,
      label: oneLine(typeof description === 'string' ? `${name}: ${description}` : name),
      required: required.includes(name),
      choices: Array.isArray(words)
        ? words.map(String)
        : about['type'] === 'boolean'
          ? ['true', 'false']
          : null,
    };
  });
}
