package reports

import (
	"errors"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"breadboard/experiments/ais"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// Sandwich draws the histograms of forward and reverse log weights with their exact means, and log Z_T/Z_1 in between. Few values are
// drawn as stems, with the share of each. It fails where no log weight is finite.
func Sandwich(r *ais.Row) (*figure.Figure, error) {
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
	p := figure.NewPanel("", "log w (nats)", "share of chains")
	both := slices.Concat(r.Forward.LogW, r.Reverse.LogW)
	few := figure.Distinct(both, min(maxStems, len(both)/5)) // else there are hardly two chains of one value
	stems := few != nil
	if stems {
		p.Y.Label.Text = "P, share of chains"
	}
	from, width, bins := sandwichBins(both, low, high)
	top := 0.0
	for i, side := range []struct {
		name   string
		sample []float64
		mean   float64
	}{{"forward, with exact mean", r.Forward.LogW, r.Exact.MeanLogWForward}, {"reverse, with exact mean", r.Reverse.LogW, r.Exact.MeanLogWReverse}} {
		c := figure.Color(i)
		line := &figure.Upright{X: side.mean, Top: &top, Style: draw.LineStyle{Color: c, Width: vg.Points(1.2)}}
		if stems {
			s := &figure.Stems{XYs: figure.Distinct(side.sample, maxStems), Mark: figure.Full(i)}
			s.Line.Width = vg.Points(0.8)
			for _, at := range s.XYs {
				top = max(top, at.Y)
			}
			figure.AddStems(p, side.name, s)
			p.Legend.Add(side.name, s)
		} else {
			bars := figure.Histogram(side.sample, from, from+width*float64(bins), bins)
			for _, b := range bars {
				top = max(top, b.Height)
			}
			shape := &figure.Bars{Bars: bars, Fill: figure.Translucent(c), Edge: draw.LineStyle{Color: c, Width: vg.Points(0.6)}}
			figure.AddBars(p, side.name, shape)
			p.Legend.Add(side.name, shape, line)
		}
		if !math.IsInf(side.mean, 0) {
			p.Add(line)
		}
	}
	z := &figure.Upright{X: r.Exact.LogZRatio, Top: &top, Style: draw.LineStyle{Color: color.Black, Width: vg.Points(1.2), Dashes: figure.Dashes()}}
	p.Add(z)
	p.Legend.Add("log Z_{T}/Z_{1}", z)
	p.RoomAround(0.02, 0)
	p.Y.Min, p.Y.Max = 0, top*1.1
	name := FileName("sandwich_" + r.Toy.Name + "_T" + table.People(r.Distributions(), 0))
	return figure.Alone(name, 13*vg.Centimeter, 8*vg.Centimeter, p), nil
}

const (
	// maxStems is the largest number of values of log w that are drawn as stems.
	maxStems = 100
	// sandwichBars is about the number of bars of a histogram.
	sandwichBars = 60
)

// sandwichBins returns the lower end, the width and the number of the bins of a histogram. Where the log weights lie near a lattice, each
// bin has the same number of its places.
func sandwichBins(sample []float64, low, high float64) (from, width float64, bins int) {
	masses := make([]float64, len(sample))
	for i := range masses {
		masses[i] = 1
	}
	if lattice, found := figure.NearLattice(sample, masses); found {
		return lattice.Edges(low, high, sandwichBars)
	}
	return low, (high - low) / sandwichBars, sandwichBars
}
