package table

import (
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// writeParquet writes the columns for machines, all of them optional, compressed with Snappy. The same table always
// gives the same bytes. A column has the type of its Like or of its first cell; where its cells have several types it
// holds text.
func (t *Table) writeParquet(w io.Writer) error {
	var fields []reflect.StructField
	columns := t.machineColumns()
	for _, i := range columns {
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: t.parquetType(i),
			Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, t.Columns[i].Name)),
		})
	}
	schema := parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface())
	out := parquet.NewWriter(w, schema, parquet.Compression(&parquet.Snappy), parquet.CreatedBy("breadboard", "", ""))
	row := make(parquet.Row, len(columns))
	for _, cells := range t.Rows {
		for k, i := range columns {
			cell := machine(cells[i])
			row[k] = parquetValue(cell, fields[k].Type).Level(0, definition(cell), k)
		}
		if _, err := out.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return out.Close()
}

// parquetType returns the type of the values of a column.
func (t *Table) parquetType(column int) reflect.Type {
	like := t.Columns[column].Like
	for _, row := range t.Rows {
		cell := machine(row[column])
		switch {
		case cell == nil:
		case like == nil:
			like = cell
		case reflect.TypeOf(cell) != reflect.TypeOf(like):
			return reflect.TypeFor[string]()
		}
	}
	switch like.(type) {
	case int:
		return reflect.TypeFor[int64]()
	case nil:
		return reflect.TypeFor[string]()
	}
	return reflect.TypeOf(like)
}

// parquetValue returns a cell as a value of a column. A text becomes valid UTF-8, which the format requires, in the same way
// as in JSON.
func parquetValue(v any, kind reflect.Type) parquet.Value {
	switch {
	case v == nil:
		return parquet.NullValue()
	case kind == reflect.TypeFor[string]():
		if text, ok := v.(string); ok {
			return parquet.ValueOf(string([]rune(text)))
		}
		return parquet.ValueOf(csvCell(v))
	}
	return parquet.ValueOf(reflect.ValueOf(v).Convert(kind).Interface())
}

// definition returns Parquet's definition level of a cell, which says whether there is a value.
func definition(v any) int {
	if v == nil {
		return 0
	}
	return 1
}
