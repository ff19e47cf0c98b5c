package table

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
)

// The keys of the metadata that a Parquet file has of itself.
const (
	// KeyVersion is the key of the version of the program.
	KeyVersion = "breadboard.version"
	// KeyColumns is the key of a JSON array with the name, the type, the unit and the meaning of each column, in their order.
	KeyColumns = "breadboard.columns"
)

// writeParquet writes the columns for machines, all of them optional and each of its declared Type, compressed with Snappy.
// The schema does not depend on the cells. The same table always gives the same bytes. The version of the program, where
// there is one, and what the columns are stand in the metadata of the file. It fails where Check does.
func (t *Table) writeParquet(w io.Writer, version string) error {
	if err := t.Check(); err != nil {
		return err
	}
	var fields []reflect.StructField
	var columns []Column
	places := t.machineColumns()
	for _, i := range places {
		columns = append(columns, t.Columns[i])
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", i), Type: parquetType(t.Columns[i].Type),
			Tag: reflect.StructTag(fmt.Sprintf(`parquet:"%s,optional"`, t.Columns[i].Name)),
		})
	}
	described, err := json.Marshal(columns)
	if err != nil {
		return err
	}
	options := []parquet.WriterOption{
		parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()),
		parquet.Compression(&parquet.Snappy), parquet.CreatedBy("breadboard", version, ""), parquet.KeyValueMetadata(KeyColumns, string(described)),
	}
	if version != "" {
		options = append(options, parquet.KeyValueMetadata(KeyVersion, version))
	}
	out := parquet.NewWriter(w, options...)
	row := make(parquet.Row, len(places))
	for _, cells := range t.Rows {
		for k, i := range places {
			cell := machine(cells[i])
			defined := 0 // Parquet's definition level of a cell, which says whether there is a value
			if cell != nil {
				defined = 1
			}
			row[k] = parquetValue(cell).Level(0, defined, k)
		}
		if _, err := out.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return out.Close()
}

// parquetType returns the type of the values of a column in Parquet: double, 64-bit integers, text in UTF-8 and boolean.
func parquetType(t Type) reflect.Type {
	return map[Type]reflect.Type{
		Float: reflect.TypeFor[float64](), Int: reflect.TypeFor[int64](), Uint: reflect.TypeFor[uint64](), Bool: reflect.TypeFor[bool](), String: reflect.TypeFor[string](),
	}[t]
}

// parquetValue returns a cell as a value of its column. A text becomes valid UTF-8, which the format requires, in the same way as in JSON.
func parquetValue(v any) parquet.Value {
	switch v := v.(type) {
	case nil:
		return parquet.NullValue()
	case int:
		return parquet.ValueOf(int64(v))
	case string:
		return parquet.ValueOf(string([]rune(v)))
	}
	return parquet.ValueOf(v)
}
