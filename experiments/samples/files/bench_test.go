package files

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"
)

const benchRows = 100_000

// benchRow is a row of the files that benchmarks read.
type benchRow struct {
	W float64 `parquet:"log_w"`
	A int32   `parquet:"x_first,dict"`
	B int64   `parquet:"x_last"`
}

// benchData returns rows as a program would send them.
func benchData() []benchRow {
	r := rand.New(rand.NewPCG(1, 2))
	rows := make([]benchRow, benchRows)
	for i := range rows {
		rows[i] = benchRow{r.NormFloat64() * 3, r.Int32N(49), r.Int64N(49)}
	}
	return rows
}

// readBench reads a source to its end.
func readBench(b *testing.B, rows decoder, l *layout, err error) {
	if err != nil {
		b.Fatal(err)
	}
	r := newReader("a", rows, l, Options{Space: grid7()})
	n := 0
	for {
		batch, err := r.Next(context.Background(), 1<<16)
		if err == io.EOF {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		n += batch.Rows
	}
	if n != benchRows {
		b.Fatalf("%d rows", n)
	}
}

// BenchmarkCSV reads log_w, x_first and x_last; and, for comparison, the same with encoding/csv and strconv, which check no value
// and count no digits.
func BenchmarkCSV(b *testing.B) {
	var text bytes.Buffer
	text.WriteString("log_w,x_first,x_last\n")
	for _, r := range benchData() {
		fmt.Fprintf(&text, "%v,%d,%d\n", r.W, r.A, r.B)
	}
	b.Run("here", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			rows, l, err := openCSV(context.Background(), "a", &lines{in: bytes.NewReader(text.Bytes())}, Options{Space: grid7()})
			readBench(b, rows, l, err)
		}
	})
	b.Run("encoding-csv", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			r := csv.NewReader(bytes.NewReader(text.Bytes()))
			r.ReuseRecord = true
			n := -1 // the header
			for ; ; n++ {
				cells, err := r.Read()
				if err == io.EOF {
					break
				}
				if n < 0 {
					continue
				}
				_, first := strconv.ParseFloat(cells[0], 64)
				_, second := strconv.Atoi(cells[1])
				_, third := strconv.Atoi(cells[2])
				if err != nil || first != nil || second != nil || third != nil {
					b.Fatal(err, first, second, third)
				}
			}
			if n != benchRows {
				b.Fatalf("%d rows", n)
			}
		}
	})
}

// BenchmarkJSONLines reads an object a line.
func BenchmarkJSONLines(b *testing.B) {
	var text bytes.Buffer
	for _, r := range benchData() {
		fmt.Fprintf(&text, "{\"log_w\": %v, \"x_first\": %d, \"x_last\": %d}\n", r.W, r.A, r.B)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		rows, l, err := openJSON(context.Background(), "a", &lines{in: bytes.NewReader(text.Bytes())}, Options{Space: grid7()})
		readBench(b, rows, l, err)
	}
}

// BenchmarkNPY reads a structured array.
func BenchmarkNPY(b *testing.B) {
	var data []byte
	for _, r := range benchData() {
		data = append(data, doubles(r.W)...)
		data = append(data, byte(r.A), 0, 0, 0, byte(r.B), 0, 0, 0)
	}
	content := []byte(npyFile("[('log_w', '<f8'), ('x_first', '<i4'), ('x_last', '<i4')]", "False", fmt.Sprintf("(%d,)", benchRows), data...))
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		rows, l, err := openNPY("a", bytes.NewReader(content), Options{Space: grid7()})
		readBench(b, rows, l, err)
	}
}

// BenchmarkParquet reads columns that are compressed.
func BenchmarkParquet(b *testing.B) {
	content := parquetFile(b, benchData(), parquet.Compression(&parquet.Snappy))
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		rows, l, err := openParquet("a", bytes.NewReader(content), Options{Space: grid7()})
		readBench(b, rows, l, err)
	}
}
