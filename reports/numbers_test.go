package reports

import (
	"bytes"
	"image/png"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/exact/weights"
	"breadboard/grid/longtest"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// TestKnownDigits: a digit is known where it is worth at least as much as the bounds are apart, and none is beyond the
// fifteenth.
func TestKnownDigits(t *testing.T) {
	for _, c := range []struct {
		value, width float64
		want         int
	}{{0.38, 1.01e-3, 2}, {0.38, 0.99e-3, 3}, {9.9, 0.99, 1}, {9.9, 1.1, 0}, {1, 0, 15}, {-0.38, 0.99e-3, 3}, {0, 1, 0}} {
		if got := knownDigits(weights.Bracket{Low: c.value - c.width/4, Value: c.value, High: c.value + c.width*3/4}); got != c.want {
			t.Errorf("%v within %v: %d digits, want %d", c.value, c.width, got, c.want)
		}
	}
	for _, c := range []struct {
		b    weights.Bracket
		want string
	}{
		{weights.Bracket{Low: 0.123456, Value: 0.123456, High: 0.123456}, "0.12346"},
		{weights.Bracket{Low: 0.12, Value: 0.123456, High: 0.126}, "0.12"},
		{weights.Bracket{Low: 0, Value: 1e-7, High: 3.21e-5}, "< 3.3e-5"},
		{weights.Bracket{}, "0"},
	} {
		if got := Probability(c.b, 5); got != c.want {
			t.Errorf("%v is written %q, want %q", c.b, got, c.want)
		}
	}
}

// TestResolution: a figure of one inch by a half has 200 by 100 points as a PNG.
func TestResolution(t *testing.T) {
	blank := figure.New("test", func(figure.Style) figure.Page {
		return figure.Page{Width: vg.Inch, Height: vg.Inch / 2, Draw: func(draw.Canvas) {}}
	})
	data := longtest.Must(blank.Encode("png"))(t)
	image, err := png.Decode(bytes.NewReader(data))
	if err != nil || image.Bounds().Dx() != 200 || image.Bounds().Dy() != 100 {
		t.Errorf("%v, %v", image.Bounds(), err)
	}
}

// TestOnlyKnownDigits: people see no digit that the bounds leave open, and no rounding.
func TestOnlyKnownDigits(t *testing.T) {
	for _, c := range []struct {
		bounds weights.Bracket
		want   string
	}{
		{weights.Bracket{Low: 0.02541, Value: 0.025424, High: 0.025438}, "0.0254"},
		{weights.Bracket{Low: 0.25, Value: 0.25, High: 0.25}, "0.25"},
		{weights.Bracket{Low: 0, Value: 2e-5, High: 3.41e-5}, "< 3.5e-5"},
		{weights.Bracket{Low: 0, Value: 0, High: 1.35e-13}, "< 1.4e-13"},
		{weights.Bracket{}, "0"},
	} {
		if got := Probability(c.bounds, 4); got != c.want {
			t.Errorf("%v is written %s, want %s", c.bounds, got, c.want)
		}
	}
	if got := Between(weights.Bracket{Low: 1, Value: 1.5, High: 2}) + ", " + Between(weights.Bracket{Low: -1e-16}); got != "1 to 2, 0" {
		t.Error(got)
	}
	if got := table.People(table.Percent(NoNoise(-1.378e-16)), 0); got != "0%" {
		t.Errorf("a gap of rounding is written %v", got)
	}
}
