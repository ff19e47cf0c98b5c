package views

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// readParquet is a program for Node.js that reads the Parquet files of a folder with hyparquet, an implementation that has nothing in
// common with ours, and compares each with the JSON of the same table. It prints the number of cells that it has compared.
const readParquet = `
import { readdirSync, readFileSync } from 'fs'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
let cells = 0
for (const name of readdirSync('files').filter(n => n.endsWith('.parquet'))) {
  const bytes = readFileSync('files/' + name)
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const rows = await parquetReadObjects({ file })
  const want = JSON.parse(readFileSync('files/' + name.replace('.parquet', '.json')))
  const metadata = await parquetMetadataAsync(file)
  const about = Object.fromEntries(metadata.key_value_metadata.map(m => [m.key, m.value]))
  const columns = JSON.parse(about['breadboard.columns'])
  const types = { float: 'DOUBLE', int: 'INT64', uint: 'INT64', string: 'BYTE_ARRAY', bool: 'BOOLEAN' }
  const schema = metadata.schema.slice(1)
  if (about['breadboard.version'] !== 'v0') throw name + ': version ' + about['breadboard.version']
  if (rows.length !== want.length) throw name + ': ' + rows.length + ' rows, and ' + want.length + ' in JSON'
  if (schema.length !== columns.length) throw name + ': ' + schema.length + ' columns, and ' + columns.length + ' described'
  columns.forEach((c, i) => {
    if (schema[i].name !== c.name || schema[i].type !== types[c.type]) throw name + ': column ' + schema[i].name + ' of type ' + schema[i].type
  })
  rows.forEach((row, i) => {
    for (const c of columns) {
      let got = row[c.name] ?? null
      if (typeof got === 'bigint') got = Number(got)
      if (typeof got === 'number' && !isFinite(got)) got = isNaN(got) ? 'NaN' : got > 0 ? '+Inf' : '-Inf'
      const expected = want[i][c.name] ?? null
      if (got !== expected) throw name + ', row ' + i + ', ' + c.name + ': ' + got + ', and ' + expected + ' in JSON'
      cells++
    }
  })
}
console.log(cells)
`

// TestParquetWithAnotherReader: hyparquet reads of every table what its JSON says, and the types, the units and the version. It needs
// Node.js, and the environment variable HYPARQUET with the folder in which hyparquet was installed by npm.
func TestParquetWithAnotherReader(t *testing.T) {
	modules := os.Getenv("HYPARQUET")
	if _, err := exec.LookPath("node"); err != nil || modules == "" || longtest.Short() {
		t.Skip("it needs node, and HYPARQUET=DIR after npm install hyparquet in DIR")
	}
	dir := t.TempDir()
	longtest.NoError(t, os.Mkdir(filepath.Join(dir, "files"), 0o700))
	longtest.NoError(t, os.Symlink(filepath.Join(modules, "node_modules"), filepath.Join(dir, "node_modules")))
	cells := 0
	for study, r := range everyReport(t) {
		for i, part := range r.Tables() {
			of := part.In(table.Parquet)
			for _, format := range []table.Format{table.Parquet, table.JSON} {
				var b strings.Builder
				longtest.Must(of.WriteStyled(&b, table.Style{Format: format, Version: "v0"}))(t)
				name := fmt.Sprintf("%s %d%s", study, i, format.Extension())
				longtest.NoError(t, os.WriteFile(filepath.Join(dir, "files", name), []byte(b.String()), 0o600))
			}
			cells += len(of.Rows) * len(schema("", "", of).Columns)
		}
	}
	program := filepath.Join(dir, "read.mjs")
	longtest.NoError(t, os.WriteFile(program, []byte(readParquet), 0o600))
	node := exec.Command("node", program)
	node.Dir = dir
	out, err := node.CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != fmt.Sprint(cells) {
		t.Errorf("%v: %d cells, and node says %s", err, cells, out)
	}
}
