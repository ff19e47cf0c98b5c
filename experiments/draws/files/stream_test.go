package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// endless yields a header and then the same row for ever.
type endless struct {
	header, row string
	at          int // how many bytes of the header and of rows have been read
}

// Read fills p.
func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		if e.at < len(e.header) {
			p[i] = e.header[e.at]
		} else {
			p[i] = e.row[(e.at-len(e.header))%len(e.row)]
		}
		e.at++
	}
	return len(p), nil
}

// TestEndlessStreams: an endless stream is read in bounded memory.
func TestEndlessStreams(t *testing.T) {
	longtest.Only(t)
	for _, in := range []*endless{
		{header: "log_w x_last\n", row: "-1.5 7\n"}, {row: `{"log_w": -1.5, "x_last": [1, 0]}` + "\n"}} {
		s := longtest.Must(NewStream(context.Background(), "stdin", in, Options{Space: grid7()}))(t)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rows := 0
		for rows < 200_000 {
			b := longtest.Must(s.Next(context.Background(), 10_000))(t)
			if b.First != rows || b.LogW[b.Rows-1] != -1.5 || b.XLast[0] != 7 {
				t.Fatalf("%d rows from %d: %v, %d", b.Rows, b.First, b.LogW[b.Rows-1], b.XLast[0])
			}
			rows += b.Rows
		}
		runtime.ReadMemStats(&after)
		if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 32<<20 {
			t.Errorf("%d bytes allocated for %d rows", bytes, rows)
		}
	}
}

// waitedFor is a context that a function ends as soon as its end is waited for.
type waitedFor struct {
	context.Context
	end func()
}

func (c waitedFor) Done() <-chan struct{} {
	c.end()
	return c.Context.Done()
}

// endsWhenWaitedFor returns a context that ends as soon as its end is waited for.
func endsWhenWaitedFor(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	return waitedFor{ctx, cancel}
}

// TestStreamThatWaits: what has come is returned without waiting for more; waiting ends with the
// context; and what comes afterwards is not lost.
func TestStreamThatWaits(t *testing.T) {
	out, in := io.Pipe()
	defer in.Close()
	if _, err := NewStream(endsWhenWaitedFor(t), "stdin", out, Options{Space: grid7()}); !errors.Is(
		err,
		context.Canceled,
	) {
		t.Fatalf("a stream that never begins: %v", err)
	}
	out, in = io.Pipe()
	defer in.Close()
	go io.WriteString(in, "x_last,log_w\n1,2\n3,")
	s := longtest.Must(NewStream(context.Background(), "stdin", out, Options{Space: grid7()}))(t)
	if b, err := s.Next(context.Background(), 1000); err != nil || b.Rows != 1 || b.XLast[0] != 1 {
		t.Fatalf("the first row: %+v, %v", b, err)
	}
	for range 3 {
		if _, err := s.Next(endsWhenWaitedFor(t), 1000); !errors.Is(err, context.Canceled) {
			t.Fatalf("half a row: %v", err)
		}
	}
	go func() {
		io.WriteString(in, "4\n5,6")
		in.Close()
	}()
	b := collect(t, rest{s, -1}, 1000)
	if !reflect.DeepEqual(b.XLast, []int32{3, 5}) || !reflect.DeepEqual(b.LogW, []float64{4, 6}) {
		t.Errorf("the rows after the wait: %+v", b)
	}
}

// rest is a source of which some rows have been read, and which counts its rows anew.
type rest struct {
	draws.Source
	shift int
}

// Next returns the next rows.
func (r rest) Next(ctx context.Context, rows int) (*draws.Batch, error) {
	b, err := r.Source.Next(ctx, rows)
	if b != nil {
		b.First += r.shift
	}
	return b, err
}

// TestChunksDoNotMatter: however a stream is cut into pieces, the rows are the same.
func TestChunksDoNotMatter(t *testing.T) {
	for _, content := range []string{
		"\ufefflog_w,x_last\r\n1,2\r\n-inf,\"3;4\"\r\n5,6", "\n" + `{"log_w": 1, "x_last": 2}` + "\n" +
			`{"x_last": "3 4", "log_w": -Infinity}` + "\r\n" + `{"x_last": 6, "log_w": 5}`} {
		for name, cut := range map[string]func(io.Reader) io.Reader{
			"one byte": iotest.OneByteReader, "half": iotest.HalfReader,
			"data with the error": iotest.DataErrReader} {
			s, err := NewStream(context.Background(), "stdin", cut(strings.NewReader(content)), Options{Space: grid7()})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			b := collect(t, s, 2)
			if fmt.Sprint(b.LogW, b.XLast) != "[1 -Inf 5] [2 25 6]" {
				t.Errorf("%s: %v %v", name, b.LogW, b.XLast)
			}
		}
	}
}

// TestBrokenStream: an error of the input comes after the rows before it, stays, and is not turned
// into another.
func TestBrokenStream(t *testing.T) {
	broken := errors.New("the cable is out")
	in := io.MultiReader(strings.NewReader("log_w,x_last\n1,2\n3,"), iotest.ErrReader(broken))
	s := longtest.Must(NewStream(context.Background(), "stdin", in, Options{Space: grid7()}))(t)
	if b, err := s.Next(context.Background(), 100); err != nil || b.Rows != 1 {
		t.Fatalf("%+v, %v", b, err)
	}
	for range 2 {
		if _, err := s.Next(context.Background(), 100); err != broken {
			t.Errorf("%v", err)
		}
	}
	if _, err := NewStream(
		context.Background(),
		"stdin",
		iotest.ErrReader(broken),
		Options{Space: grid7()},
	); err != broken {
		t.Errorf("%v", err)
	}
}

// TestErrorsStay: a source that has found something wrong does not go on.
func TestErrorsStay(t *testing.T) {
	s := longtest.Must(NewStream(
		context.Background(),
		"stdin",
		strings.NewReader("x_last\n49\n3\n"),
		Options{Space: grid7()},
	))(t)
	_, first := s.Next(context.Background(), 1)
	_, second := s.Next(context.Background(), 1)
	if first == nil || first != second {
		t.Errorf("%v, and then %v", first, second)
	}
}

// TestLongLines: a line that never ends is an error, in bounded memory. One that is long and ends
// is read.
func TestLongLines(t *testing.T) {
	longtest.Only(t)
	for header, want := range map[string]string{
		"":          "stdin, line 1: found a line of more than 16777216 bytes; end every row with a line break",
		"log_w\n":   "stdin, line 2 (row 1): found a line of more than 16777216 bytes; end every row with a line break",
		`{"log_w":`: "stdin, line 1: found a line of more than 16777216 bytes; end every row with a line break",
	} {
		s, err := NewStream(context.Background(), "stdin", &endless{header: header, row: "1"}, Options{Space: grid7()})
		if err == nil {
			_, err = s.Next(context.Background(), 1)
		}
		var typed *Error
		if !errors.As(err, &typed) || err.Error() != want {
			t.Errorf("%q: %v", header, err)
		}
	}
	s := longtest.Must(NewStream(context.Background(), "stdin",
		strings.NewReader("log_w,note\n1,"+strings.Repeat("a", 3_000_000)+"\n2,b\n"),
		Options{Space: grid7(), Roles: Roles{"note": "none"}}))(t)
	if b := collect(t, s, 10); !reflect.DeepEqual(b.LogW, []float64{1, 2}) {
		t.Errorf("%v", b.LogW)
	}
}

// TestCancelled: a context that is done stops the reading of every format at once, and loses no
// row.
func TestCancelled(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for name, content := range map[string]string{
		"a.csv": "log_w\n1\n2\n3\n", "a.jsonl": `{"log_w":1}` + "\n" + `{"log_w":2}` + "\n" + `{"log_w":3}` +
			"\n", "a.npy": npyFile("[('log_w', '<f8')]", "False", "(3,)", doubles(1, 2, 3)...)} {
		r := longtest.Must(Open(context.Background(), write(t, name, content), Options{Space: grid7()}))(t)
		for i := range 3 {
			if _, err := r.Next(done, 1); err != context.Canceled {
				t.Errorf("%s: %v", name, err)
			}
			if b, err := r.Next(context.Background(), 1); err != nil || b.First != i ||
				b.LogW[0] != float64(i+1) {
				t.Errorf("%s: %+v, %v", name, b, err)
			}
		}
		if _, err := r.Next(context.Background(), 1); err != io.EOF {
			t.Errorf("%s: %v at the end", name, err)
		}
		if err := r.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(done, write(t, "a.csv", "log_w\n1\n"), Options{Space: grid7()}); err !=
		context.Canceled {
		t.Errorf("Open: %v", err)
	}
}

// TestParquetStream: a stream of Parquet is refused as a file is, and one that gzip has compressed,
// which only a file may be, too.
func TestParquetStream(t *testing.T) {
	longtest.Refuses(NewStream(
		context.Background(),
		"stdin",
		strings.NewReader("PAR1\x15\x04"),
		Options{Space: grid7()},
	))(t,
		"stdin: found the format Parquet; convert it with pandas, as in python3 -c \"import pandas; "+
			"pandas.read_parquet('stdin')")
	longtest.Refuses(NewStream(
		context.Background(),
		"stdin",
		strings.NewReader("\x1f\x8b\x08\x00\x00"),
		Options{Space: grid7()},
	))(t,
		"stdin: found the format gzip; unpack it first")
}
