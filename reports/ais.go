package reports

import (
	"bytes"
	"errors"
	"image/color"
	"math"

	"github.com/sbinet/npyio/npy"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/ais"
)

// AIS returns the table of estimates beside exact values, one row a quantity.
func AIS(runs []ais.Row) *Table {
	t := &Table{Columns: []Column{
		{Key: "toy", Title: "toy"}, {Key: "T", Title: "T"}, {Key: "path"}, {Key: "initial"}, {Key: "schedule"}, {Key: "kernel"},
		{Key: "quantity", Title: "quantity"}, {Key: "exact", Title: "exact"}, {Key: "estimate", Title: "estimate"},
		{Key: "standard_error", Title: "std. error", Digits: 2}, {Key: "standard_error_from", Title: "from"},
		{Key: "bias", Title: "bias", Digits: 2}, {Key: "z", Title: "z", Digits: 2},
		{Key: "chains", Title: "chains"}, {Key: "seed"}, {Key: "note"},
	}}
	for _, r := range runs {
		if r.Err != nil {
			t.Rows = append(t.Rows, []any{
				r.Toy.Name, r.T, r.Path, r.Initial, r.Schedule, r.Kernel, "failed", nil, nil, nil, nil, nil, nil, r.Chains, r.Seed, r.Err.Error(),
			})
		}
		for _, q := range r.Quantities {
			from := "exact"
			if q.FromSample {
				from = "sample"
			}
			t.Rows = append(t.Rows, []any{
				r.Toy.Name, r.T, r.Path, r.Initial, r.Schedule, r.Kernel, q.Name, q.Exact, q.Estimate,
				orNil(q.StandardError), from, biasCell(q.Bias), orNil(q.Z()), r.Chains, r.Seed, q.Note,
			})
		}
	}
	return t
}

// biasCell leaves out the bias of estimators that have none.
func biasCell(bias float64) any {
	if bias == 0 {
		return nil
	}
	return orNil(bias)
}

// LogWeightsNPY returns the log weights of a run as a NumPy array of two columns, forward and reverse.
func LogWeightsNPY(r *ais.Row) ([]byte, error) {
	n := len(r.Forward.LogW)
	m := mat.NewDense(n, 2, nil)
	m.SetCol(0, r.Forward.LogW)
	m.SetCol(1, r.Reverse.LogW)
	var b bytes.Buffer
	err := npy.Write(&b, m)
	return b.Bytes(), err
}

// LogWeightsCSV returns the log weights of a run as CSV with the columns forward and reverse.
func LogWeightsCSV(r *ais.Row) []byte {
	var b bytes.Buffer
	b.WriteString("forward,reverse\n")
	for i, f := range r.Forward.LogW {
		b.WriteString(shortest(f) + "," + shortest(r.Reverse.LogW[i]) + "\n")
	}
	return b.Bytes()
}

// histogramBins is the number of bins of the sandwich figure.
const histogramBins = 60

// Sandwich draws the histograms of forward and reverse log weights with their exact means, and log Z_T/Z_1 in
// between. It fails where no log weight is finite.
func Sandwich(r *ais.Row) (*Figure, error) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, sample := range [][]float64{r.Forward.LogW, r.Reverse.LogW} {
		for _, l := range sample {
			if !math.IsInf(l, 0) {
				low, high = min(low, l), max(high, l)
			}
		}
	}
	if low > high {
		return nil, errors.New("nothing to draw: no log weight is finite")
	}
	if low == high {
		low, high = low-0.5, high+0.5
	}
	p := plot.New()
	p.X.Label.Text = "log w (nats)"
	p.Y.Label.Text = "share of chains"
	top := 0.0
	for i, side := range []struct {
		name   string
		sample []float64
		mean   float64
	}{{"forward, with exact mean", r.Forward.LogW, r.Exact.MeanLogWForward}, {"reverse, with exact mean", r.Reverse.LogW, r.Exact.MeanLogWReverse}} {
		h := histogram(side.sample, low, high)
		for _, bin := range h.Bins {
			top = max(top, bin.Weight)
		}
		c := paletteColor(i)
		h.FillColor = translucent(c)
		h.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(0.5)}
		p.Add(h)
		line := &upright{side.mean, &top, draw.LineStyle{Color: c, Width: vg.Points(1.2)}}
		if !math.IsInf(side.mean, 0) {
			p.Add(line)
		}
		p.Legend.Add(side.name, h, line)
	}
	z := &upright{r.Exact.LogZRatio, &top, draw.LineStyle{Color: color.Black, Width: vg.Points(1.2), Dashes: dashes()}}
	p.Add(z)
	p.Legend.Add("log Z_T/Z_1", z)
	stylePlot(p)
	p.Y.Min, p.Y.Max = 0, top*1.35 // room for the legend
	p.Legend.Top = true
	p.Legend.YOffs = -vg.Points(4)
	name := FileName("sandwich_" + r.Toy.Name + "_T" + people(r.T, 0))
	return plotFigure(name, 13*vg.Centimeter, 8*vg.Centimeter, p), nil
}

func histogram(sample []float64, low, high float64) *plotter.Histogram {
	width := (high - low) / histogramBins
	h := &plotter.Histogram{Width: width}
	for i := range histogramBins {
		h.Bins = append(h.Bins, plotter.HistogramBin{Min: low + float64(i)*width, Max: low + float64(i+1)*width})
	}
	for _, l := range sample {
		if !math.IsInf(l, 0) {
			h.Bins[min(histogramBins-1, int((l-low)/width))].Weight += 1 / float64(len(sample))
		}
	}
	return h
}

// upright is a vertical line at x, a little higher than top, which may still grow while the plot is made.
type upright struct {
	x     float64
	top   *float64
	style draw.LineStyle
}

// Plot implements plot.Plotter.
func (u *upright) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(u.style, x(u.x), c.Min.Y, x(u.x), y(*u.top*1.05))
}

// Thumbnail implements plot.Thumbnailer.
func (u *upright) Thumbnail(c *draw.Canvas) {
	y := c.Center().Y
	c.StrokeLine2(u.style, c.Min.X, y, c.Max.X, y)
}

// DataRange implements plot.DataRanger.
func (u *upright) DataRange() (xmin, xmax, ymin, ymax float64) { return u.x, u.x, 0, *u.top }

func translucent(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	return color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0x60}
}
