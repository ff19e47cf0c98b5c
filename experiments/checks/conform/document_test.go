package conform

import (
	"bytes"
	"encoding/json"
	"testing"

	"breadboard/grid/longtest"
)

// FuzzDecode: what decode accepts is what encode writes of it, apart from blanks.
func FuzzDecode(f *testing.F) {
	good := longtest.Must((&document{Format: format, Version: version, Toy: "easy", T: 2, Sides: []int{7, 7}, Columns: []string{"log_w"},
		Conventions: conventions(), Betas: []float64{0, 1}}).encode())(f)
	f.Add(good)
	f.Add([]byte(`{"format": "breadboard conform task", "version": 1, "betas": [0, 1e-7, 1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := decode(data)
		if err != nil {
			return
		}
		again := longtest.Sure(d.encode())
		var is, want bytes.Buffer
		if json.Compact(&is, data) != nil || json.Compact(&want, again) != nil || !bytes.Equal(is.Bytes(), want.Bytes()) {
			t.Fatalf("%q is accepted, and written as %q", data, again)
		}
	})
}

// TestDecodeGivesWhatWasEncoded: every field.
func TestDecodeGivesWhatWasEncoded(t *testing.T) {
	want := document{
		Format: format, Version: version, Toy: "file:a <b> & c.csv", T: 3, Path: "q:0.5", Initial: "uniform", Schedule: "file:é", Kernel: "metropolis",
		Space: "2x2", States: 4,
		Sides: []int{2, 2}, Columns: []string{"log_w", "path"}, LogZ1: 1e-300, LogZT: -1e12 + 0.125, LogZRatio: 0.1 + 0.2, Conventions: conventions(),
		Betas: []float64{0, 5e-324, 1},
	}
	data := longtest.Must(want.encode())(t)
	is := longtest.Must(decode(data))(t)
	if field, a, b := is.differs(&want); field != "" {
		t.Errorf("%s is %v, want %v", field, a, b)
	}
	if bytes.Contains(data, []byte(`\u003c`)) {
		t.Error("names are escaped as for a web page")
	}
}
