package files

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"breadboard/experiments/data/samples"
	"breadboard/grid/longtest"
)

// parquetFile writes rows as Parquet.
func parquetFile[R any](t testing.TB, rows []R, options ...parquet.WriterOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w := parquet.NewGenericWriter[R](&out, options...)
	longtest.Must(w.Write(rows))(t)
	longtest.NoError(t, w.Close())
	return out.Bytes()
}

// parquetError reads a file to its end and returns the error, without the name.
func parquetError(t *testing.T, content []byte, columns ...string) string {
	t.Helper()
	o := Options{Space: grid7(), Columns: columns}
	rows, l, err := openParquet("a", bytes.NewReader(content), o)
	if err == nil {
		r := newReader("a", rows, l, o)
		for err == nil {
			_, err = r.Next(context.Background(), 3)
		}
	}
	var typed *Error
	if !errors.As(err, &typed) {
		t.Errorf("%v, which is no *Error", err)
		return ""
	}
	return strings.TrimPrefix(err.Error(), "a")
}

// TestBadParquet: values and columns of the wrong kind.
func TestBadParquet(t *testing.T) {
	one, bad := int32(1), int64(49)
	for want, got := range map[string]string{
		", row 1, column x_last: found null; " + aState: parquetError(t, parquetFile(t, []struct {
			X *int32 `parquet:"x_last,optional"`
		}{{&one}, {nil}})),
		", row 2, column log_w: found null; " + aNumber: parquetError(t, parquetFile(t, []struct {
			W *float64 `parquet:"log_w,optional"`
			X *int64   `parquet:"x_last,optional"`
		}{{new(float64), new(int64)}, {new(float64), new(int64)}, {nil, new(int64)}, {nil, &bad}})),
		", column log_w: found values of the type BOOLEAN; write DOUBLE, FLOAT, INT32 or INT64": parquetError(t, parquetFile(t, []struct {
			W bool `parquet:"log_w"`
		}{{true}})),
		", column log_w: found values of the type STRING; write DOUBLE, FLOAT, INT32 or INT64": parquetError(t, parquetFile(t, []struct {
			W string `parquet:"log_w"`
		}{{"1"}})),
		", column x_last: found lists or structures; write numbers; coordinates have a column each, as in x_first_0, and so have the states of a path, as in x_1": parquetError(t, parquetFile(t, []struct {
			X []int32 `parquet:"x_last,list"`
		}{{[]int32{1, 2}}})),
		", column path: found one number in every row; write the states of a path in a column each, as in x_1": parquetError(t, parquetFile(t, []struct {
			P int32 `parquet:"path"`
		}{{1}})),
		": found only the columns A, B.C; name at least one of " + usable7: parquetError(t, parquetFile(t, []struct {
			A int32
			B struct{ C int32 }
		}{{}})),
		", row 0, column x_last: found 18446744073709551615; " + aState: parquetError(t, parquetFile(t, []struct {
			X uint64 `parquet:"x_last"`
		}{{1<<64 - 1}})),
		", row 0, column x_last: found 3.5; " + aState: parquetError(t, parquetFile(t, []struct {
			X float32 `parquet:"x_last"`
		}{{3.5}})),
		": found a file with the columns log_w; leave out the names that are given besides, x_last": parquetError(t, parquetFile(t, []struct {
			W float64 `parquet:"log_w"`
		}{{3.5}}), "x_last"),
		": found no rows; write at least one row of values": parquetError(t, parquetFile(t, []struct {
			W float64 `parquet:"log_w"`
		}{})),
	} {
		if got != want {
			t.Errorf("\n got %s\nwant %s", got, want)
		}
	}
}

// TestParquetPrecision: FLOAT is float32.
func TestParquetPrecision(t *testing.T) {
	content := parquetFile(t, []struct {
		W float32 `parquet:"log_w"`
		A string
	}{{-1.5, "x"}})
	rows, l, err := openParquet("a", bytes.NewReader(content), Options{Space: grid7()})
	if err != nil {
		t.Fatal(err)
	}
	r := newReader("a", rows, l, Options{Space: grid7()})
	if b := collect(t, r, 10); b.LogW[0] != -1.5 || r.Precision() != (samples.Precision{Significant: 7, Bits: 24}) || strings.Join(r.Ignored(), " ") != "A" {
		t.Errorf("%v %+v %v", b.LogW, r.Precision(), r.Ignored())
	}
}

// weights are rows with a column.
type weights struct {
	W float64 `parquet:"log_w"`
}

// TestParquetPromises: a file that promises more than it holds is refused, and no memory is taken for the promise.
func TestParquetPromises(t *testing.T) {
	content := parquetFile(t, make([]weights, 100))
	footer := int(binary.LittleEndian.Uint32(content[len(content)-8:]))
	body, about := content[:len(content)-8-footer], content[len(content)-8-footer:len(content)-8]
	changed := func(change func(*format.FileMetaData)) []byte {
		var f format.FileMetaData
		longtest.NoError(t, thrift.Unmarshal(new(thrift.CompactProtocol), about, &f))
		change(&f)
		b := longtest.Must(thrift.Marshal(new(thrift.CompactProtocol), &f))(t)
		out := append(bytes.Clone(body), b...)
		return append(binary.LittleEndian.AppendUint32(out, uint32(len(b))), "PAR1"...)
	}
	column := func(f *format.FileMetaData) *format.ColumnMetaData { return &f.RowGroups[0].Columns[0].MetaData }
	list := append([]byte{0x19, 0xfc}, 0xff, 0xff, 0xff, 0xff, 0x07, 0) // a list of 2^31 - 1 structures
	const damaged = ": found a Parquet file that is damaged or not supported: "
	for _, c := range []struct {
		content []byte
		want    string
	}{
		{changed(func(f *format.FileMetaData) { f.NumRows, f.RowGroups[0].NumRows = 1<<40, 1<<40 }), damaged + "a column has 100 values in a group of 1099511627776 rows; write the file again"},
		{changed(func(f *format.FileMetaData) { f.RowGroups[0].NumRows = 99 }), damaged + "a column has 100 values in a group of 99 rows; write the file again"},
		{changed(func(f *format.FileMetaData) { column(f).TotalCompressedSize = 1 << 40 }), damaged + "its description of itself is damaged; write the file again"},
		{changed(func(f *format.FileMetaData) { column(f).DataPageOffset = 1 << 40 }), damaged + "its description of itself is damaged; write the file again"},
		{changed(func(f *format.FileMetaData) { column(f).DataPageOffset = -1 }), damaged + "its description of itself is damaged; write the file again"},
		{append(append([]byte("PAR1"), list...), "\x08\x00\x00\x00PAR1"...), damaged + "its description of itself is damaged; write the file again"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := parquetError(t, c.content)
		runtime.ReadMemStats(&after)
		if got != c.want {
			t.Errorf("\n got %s\nwant %s", got, c.want)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 4<<20 {
			t.Errorf("%d bytes allocated to find %s", taken, c.want)
		}
	}
	for _, size := range []int64{maxPage + 1, 1<<31 - 1} {
		page := &format.PageHeader{UncompressedPageSize: int32(size), CompressedPageSize: 10, DataPageHeader: thrift.New(format.DataPageHeader{NumValues: 100})}
		b := longtest.Must(thrift.Marshal(new(thrift.CompactProtocol), page))(t)
		body = append([]byte("PAR1"), append(b, make([]byte, 1000)...)...)
		got := parquetError(t, changed(func(f *format.FileMetaData) {
			column(f).DataPageOffset, column(f).TotalCompressedSize = 4, int64(len(b)+10)
		}))
		if !strings.Contains(got, "found a page of 100 values in ") {
			t.Errorf("a page of %d bytes: %s", size, got)
		}
	}
}

// TestEveryCutOfParquet: a file that ends anywhere before its end is an error.
func TestEveryCutOfParquet(t *testing.T) {
	content := parquetFile(t, make([]weights, 10))
	for n := range len(content) {
		if parquetError(t, content[:n]) == "" {
			t.Errorf("%d of %d bytes are read", n, len(content))
		}
	}
}

// TestDamagedParquet: whichever byte is wrong, reading ends with all rows or an *Error, and never with a panic.
func TestDamagedParquet(t *testing.T) {
	content := parquetFile(t, make([]weights, 10), parquet.Compression(&parquet.Snappy))
	for i := range content {
		for _, flip := range []byte{1, 0x80, 0xff} {
			if longtest.Short() && (i+int(flip))%8 != 0 {
				continue
			}
			damaged := bytes.Clone(content)
			damaged[i] ^= flip
			o := Options{Space: grid7()}
			rows, l, err := openParquet("a", bytes.NewReader(damaged), o)
			checkFuzzed(t, rows, l, err, o)
		}
	}
}

// FuzzParquet: no bytes make the reader of Parquet fail otherwise than by an *Error.
func FuzzParquet(f *testing.F) {
	f.Add(parquetFile(f, make([]weights, 3)))
	f.Add(parquetFile(f, []struct {
		X *int32 `parquet:"x_last,optional,dict"`
		Y uint64 `parquet:"x_first,delta"`
	}{{new(int32), 1}, {new(int32), 2}}, parquet.DataPageVersion(1)))
	f.Fuzz(func(t *testing.T, content []byte) {
		o := Options{Space: grid7()}
		rows, l, err := openParquet("a", bytes.NewReader(content), o)
		checkFuzzed(t, rows, l, err, o)
	})
}

// TestCompact walks over values of every type, written by hand, and refuses what is nested too deeply or cut off.
func TestCompact(t *testing.T) {
	const (
		stop, longList = "\x00", "\xf8\x10" // of 16 texts
		inMap          = "\x02\x8c" + "\x01k" + "\x15\x02" + stop + "\x01l" + stop
	)
	whole := "\x11\x12\x13\x07\x14\x08\x15\x0a\x16\x0c\x17\x00\x00\x00\x00\x00\x00\x00\x00\x18\x02ab\x19\x25\x02\x04\x19\x21\x01\x02\x1b" + inMap + "\x1b\x00\x19" + longList + strings.Repeat("\x01a", 16) +
		"\x1c" + "\x15\x2a" + "\x1c\x15\x2c" + stop + stop + "\x05\x64\x2e" + stop
	var seen []int64
	walk := &compact{b: []byte(whole)}
	err := walk.structure(0, 0, func(outer, field int, v int64) { seen = append(seen, int64(outer), int64(field), v) })
	if want := []int64{0, 4, 4, 0, 5, 5, 0, 6, 6, 14, 1, 21, 0, 50, 23}; err != nil || walk.at != len(whole) || !slices.Equal(seen, want) {
		t.Errorf("%v, %d of %d bytes, %v", err, walk.at, len(whole), seen)
	}
	for n := range len(whole) {
		if (&compact{b: []byte(whole[:n])}).structure(0, 0, nil) == nil {
			t.Errorf("%d of %d bytes are taken for the whole", n, len(whole))
		}
	}
	for opening, closing := range map[string]string{"\x1c": stop, "\x19\x1c": stop} { // structures in one another, and in lists
		for depth, ok := range map[int]bool{maxDepth / 2: true, maxDepth + 1: false, 1_000_000: false} {
			text := strings.Repeat(opening, depth) + strings.Repeat(closing, depth) + stop
			if err := (&compact{b: []byte(text)}).structure(0, 0, nil); ok != (err == nil) {
				t.Errorf("%q %d deep: %v", opening, depth, err)
			}
		}
	}
	if err := (&compact{b: []byte(strings.Repeat("\x19", 1_000_000))}).structure(0, 0, nil); err == nil {
		t.Error("lists of lists of lists")
	}
}

// FuzzCompact: the walk over Thrift's notation takes what the library writes, and ends on all else.
func FuzzCompact(f *testing.F) {
	content := parquetFile(f, make([]weights, 3))
	footer := int(binary.LittleEndian.Uint32(content[len(content)-8:]))
	f.Add(content[len(content)-8-footer : len(content)-8])
	f.Fuzz(func(t *testing.T, b []byte) {
		walk := &compact{b: b}
		err := walk.structure(0, 0, nil)
		if walk.at > len(b) || err == nil && walk.at == 0 {
			t.Errorf("%d of %d bytes, %v", walk.at, len(b), err)
		}
	})
}
