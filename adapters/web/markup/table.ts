import { html, type Html } from './html.ts';

/** A column of a table. */
export interface Column<Row> {
  /** Empty for a column of links that need no heading of their own. */
  readonly heading: string;
  readonly cell: (row: Row) => Html | string;
  /** Whether figures stand at the end of the line. */
  readonly atEnd?: boolean;
  /** The label before its value on a narrow screen, if the heading is too long. */
  readonly label?: string;
  /** `num`: its value is a date or a number. `key`: it never breaks. */
  readonly style?: 'num' | 'key';
  /** Whether it is of less weight than the others. */
  readonly isMuted?: boolean;
}

/**
 * A table that becomes blocks on narrow screens. Styles take away the roles of its elements there, so they are written out;
 * the first cell of a row is its heading, and the others repeat that of their column.
 */
export function table<Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  return html`<table class="table" role="table">
    <caption class="hidden">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map(
          ({ heading, atEnd = false }) =>
            html`<th role="columnheader" scope="col" ${atEnd ? html` class="end"` : null}>
              ${heading === '' ? html`<span class="hidden">Actions</span>` : heading}
            </th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row">
            ${columns.map((column, index) => cellOf(column, row, index === 0))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function cellOf<Row>(column: Column<Row>, row: Row, isFirst: boolean): Html {
  const { heading, label: narrow = heading, cell, atEnd = false, isMuted = false, style: own } = column;
  const styles = [...(atEnd ? ['end'] : []), ...(isMuted ? ['muted'] : []), ...(own === undefined ? [] : [own])].join(
    ' ',
  );
  const style = styles === '' ? null : html` class="${styles}"`;
  const label = isFirst || heading === '' ? null : html` data-label="${narrow}"`;
  return html`<td role="cell" ${style}${label}>${cell(row)}</td>`;
}
