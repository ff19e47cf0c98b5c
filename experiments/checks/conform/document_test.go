package conform

import (
	"bytes"
	"encoding/json"
	"testing"

	"breadboard/grid/longtest"
)

// FuzzDecode: what decode accepts is what encode writes of it, apart from blanks.
func FuzzDecode(f *testing.F) {
	good := longtest.Must((&document{
		Format:      format,
		Version:     version,
		Toy:         "easy",
		T:           2,
		Sides:       []int{7, 7},
		Columns:     []string{"log_w"},
		Conventions: conventions(),
		Betas:       []float64{0, 1},
	}).encode())(f)
	f.Add(good)
	f.Add([]byte(`{"format": "breadboard conform task", "version": 1, "betas": [0, 1e-7, 1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := decode(data)
		if err != nil {
			return
		}
		again := longtest.Sure(d.encode())
		var is, want bytes.Buffer
		if json.Compact(&is, data) != nil || json.Compact(&want, again) != nil ||
			!bytes.Equal(is.Bytes(), want.Bytes()) {
			t.Fatalf("%q is accepted, and written as %q", data, again)
		}
	})
}
