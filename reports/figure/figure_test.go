package figure

import (
	"bytes"
	"image/color"
	"math"
	"slices"
	"strconv"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"pgregory.net/rapid"
)

// TestEncode: the same drawing gives the same bytes in every format, of the type that its name says, and no date.
func TestEncode(t *testing.T) {
	p := plot.New()
	p.Add(GridLines())
	if _, err := Curve(p, plotter.XYs{{X: 0, Y: 1}, {X: 1, Y: 2}}, Color(0), Dashes()); err != nil {
		t.Fatal(err)
	}
	Dress(p)
	f := OfPlot("x", 6*vg.Centimeter, 4*vg.Centimeter, p)
	for _, format := range Formats() {
		first, err := f.Encode(format)
		if err != nil {
			t.Fatal(err)
		}
		again, err := f.Encode(format)
		if err != nil || !bytes.Equal(first, again) {
			t.Errorf("%s: other bytes the second time, %v", format, err)
		}
		if magic := map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF"}[format]; !bytes.HasPrefix(first, []byte(magic)) {
			t.Errorf("%s begins with %q", format, first[:8])
		}
		if bytes.Contains(first, []byte("D:202")) {
			t.Errorf("%s carries a date", format)
		}
	}
	if _, err := f.Encode("bmp"); err == nil {
		t.Error("bmp is accepted")
	}
	if w, h := f.Size(); w != 6*vg.Centimeter || h != 4*vg.Centimeter {
		t.Errorf("%v by %v", w, h)
	}
}

// TestDecades: ticks lie on the axis where their labels say, in order, and at least one has a label wherever the axis
// spans a decade.
func TestDecades(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.Float64Range(-300, 300).Draw(t, "low")
		high := min(308, low+rapid.Float64Range(0.01, 40).Draw(t, "span")) // 1e309 is no float64
		labels, last := 0, math.Inf(-1)
		for _, tick := range (Decades{}).Ticks(low, high) {
			if tick.Value <= last || tick.Value < low-1e-6 || tick.Value > high+1e-6 {
				t.Fatalf("a tick at %v after %v on an axis from %v to %v", tick.Value, last, low, high)
			}
			last = tick.Value
			if tick.Label == "" {
				continue
			}
			labels++
			v, err := strconv.ParseFloat(tick.Label, 64)
			if err != nil || math.Abs(math.Log10(v)-tick.Value) > 1e-9 {
				t.Fatalf("the tick at %v is labelled %s: %v", tick.Value, tick.Label, err)
			}
		}
		if every := 1 + math.Floor((high-low)/9); labels == 0 && high-low >= every {
			t.Fatalf("no label from %v to %v", low, high)
		}
	})
}

// TestDecadesLabels: a label is the shortest text of its number; 7 times 0.1 is not that of 0.7.
func TestDecadesLabels(t *testing.T) {
	var labels []string
	for _, tick := range (Decades{}).Ticks(math.Log10(0.55), math.Log10(0.95)) {
		labels = append(labels, tick.Label)
	}
	if want := []string{"0.6", "0.7", "0.8", "0.9"}; !slices.Equal(labels, want) {
		t.Errorf("labels %q, want %q", labels, want)
	}
}

// TestHistogram: the bars hold the share of the sample that is finite, each number in its own bin.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		finite := rapid.SliceOfN(rapid.Float64Range(-1, 1), 1, 50).Draw(t, "sample")
		infinite := rapid.IntRange(0, 5).Draw(t, "infinite")
		sample := append([]float64(nil), finite...)
		for range infinite {
			sample = append(sample, math.Inf(1))
		}
		low, high := -1.0, 1.0
		h := Histogram(sample, low, high)
		total := 0.0
		for i, bin := range h.Bins {
			total += bin.Weight
			count := 0 // the slow way
			for _, v := range finite {
				if int((v-low)/h.Width) == i || i == Bins-1 && v == high {
					count++
				}
			}
			if want := float64(count) / float64(len(sample)); math.Abs(bin.Weight-want) > 1e-12 {
				t.Fatalf("bin %d has %v, want %v", i, bin.Weight, want)
			}
		}
		if want := float64(len(finite)) / float64(len(sample)); math.Abs(total-want) > 1e-12 {
			t.Fatalf("%v of the sample, want %v", total, want)
		}
	})
}

// TestLines: what cannot be drawn is left out, and one point makes no line.
func TestLines(t *testing.T) {
	var points plotter.XYs
	for i, v := range []float64{0, -1, math.Inf(1), math.NaN(), 100} {
		points = AppendLog(points, 10*(i+1), v)
	}
	if len(points) != 1 || points[0].Y != 2 || math.Abs(points[0].X-math.Log10(50)) > 1e-15 {
		t.Errorf("points %v", points)
	}
	p := plot.New()
	if line, err := Curve(p, points, color.Black, nil); line != nil || err != nil {
		t.Errorf("a line through one point: %v, %v", line, err)
	}
	if err := AddLine(p, points, draw.LineStyle{}); err != nil {
		t.Error(err)
	}
	if err := AddLine(p, plotter.XYs{{X: 0, Y: math.Inf(1)}, {X: 1, Y: 0}}, draw.LineStyle{}); err == nil {
		t.Error("a line to infinity is drawn")
	}
	if SeriesStyle(0).Dashes != nil || SeriesStyle(Colors).Dashes == nil || SeriesStyle(0).Color != SeriesStyle(Colors).Color {
		t.Error("the series after the last colour do not begin anew with dashes")
	}
}

// TestSigned: the scale keeps order and signs, and its ticks stand where their labels say.
func TestSigned(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Signed{rapid.SampledFrom([]float64{1e-3, 0.01, 1}).Draw(t, "unit")}
		a, b := rapid.Float64Range(-1e6, 1e6).Draw(t, "a"), rapid.Float64Range(-1e6, 1e6).Draw(t, "b")
		if a < b && s.Of(a) > s.Of(b) || s.Of(-a) != -s.Of(a) {
			t.Fatalf("%v at %v, %v at %v", a, s.Of(a), b, s.Of(b))
		}
		low, high := min(s.Of(a), s.Of(b)), max(s.Of(a), s.Of(b))
		last := math.Inf(-1)
		for _, tick := range s.Ticks(low, high) {
			if tick.Value <= last || tick.Value < low-1e-6 || tick.Value > high+1e-6 {
				t.Fatalf("a tick at %v after %v on an axis from %v to %v", tick.Value, last, low, high)
			}
			last = tick.Value
			if tick.Label == "" {
				continue
			}
			if v, err := strconv.ParseFloat(tick.Label, 64); err != nil || math.Abs(s.Of(v)-tick.Value) > 1e-9 {
				t.Fatalf("the tick at %v is labelled %s: %v", tick.Value, tick.Label, err)
			}
		}
	})
}
