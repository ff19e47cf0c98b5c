package replicas_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/tempering"
	"breadboard/exact/averages"
	"breadboard/exact/replicas"
	"breadboard/exact/stages"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// row is a row of the reference: values that two programs independent of this one have computed.
type row struct {
	ID, Study string
	Inputs    struct {
		Toy, Kernel, Ladder, Scheme, Function, Start, Scans string
		N                                                   int
	}
	Values map[string]float64
}

// rows returns the rows of some studies.
func rows(t testing.TB, studies ...string) (list []row) {
	var all []row
	text := longtest.Must(os.ReadFile("testdata/tempering.json"))(t)
	longtest.NoError(t, json.Unmarshal(text, &all))
	for _, r := range all {
		for _, s := range studies {
			if r.Study == s {
				list = append(list, r)
			}
		}
	}
	if len(list) == 0 {
		t.Fatal("no rows")
	}
	return list
}

// draw is a kernel that draws from the distribution itself, so that exploration is perfect.
type draw struct{}

func (draw) Move(c chains.Chooser, logf []float64, _ int) int {
	p := append([]float64(nil), logf...)
	chains.Normalize(p)
	return c.Choose(p)
}

func (draw) AppendRow(dst []chains.Entry, logf []float64, _ int) []chains.Entry {
	p := append([]float64(nil), logf...)
	chains.Normalize(p)
	for y, v := range p {
		dst = append(dst, chains.Entry{To: y, P: v})
	}
	return dst
}

// tempered returns the tempering of a kernel on a toy, on the geometric path from the uniform
// distribution.
func tempered(t testing.TB, toy *toys.Toy, kernel string, scheme string,
	betas ...float64) *tempering.Tempering {
	var k chains.Kernel = draw{}
	if kernel != "exact" {
		k = longtest.Must(kernels.Parse(kernel, toy.Space))(t)
	}
	initial := longtest.Must(forms.Targets().ParseInitial(context.Background(), "uniform", toy))(t)
	path := longtest.Must(forms.Targets().ParsePath("geometric", initial.Ends, toy))(t)
	a := longtest.Must(
		chains.NewAnnealing(path, longtest.Must(schedules.NewPoints("ladder", betas))(t), k, len(betas)),
	)(t)
	return longtest.Must(tempering.New(a, longtest.Must(tempering.ParseScheme(scheme))(t)))(t)
}

// of returns the replicas of a row of the reference.
func of(t testing.TB, r *row) (*replicas.Replicas, *toys.Toy) {
	toy := longtest.Must(forms.Targets().Parse(r.Inputs.Toy))(t)
	var betas []float64
	for _, b := range strings.Split(r.Inputs.Ladder, ":") {
		betas = append(betas, longtest.Must(strconv.ParseFloat(b, 64))(t))
	}
	return longtest.Must(replicas.New(
		context.Background(),
		tempered(t, toy, r.Inputs.Kernel, r.Inputs.Scheme, betas...),
	))(t), toy
}

// same holds numbers to those of a row, to a relative tolerance, and absolutely if that is less.
func (r *row) same(t *testing.T, got map[string]float64, relative, absolute float64) {
	t.Helper()
	for name, want := range r.Values {
		v, known := got[name]
		if !known {
			t.Errorf("%s: %s is not computed", r.ID, name)
		} else if !(math.Abs(v-want) <= max(relative*math.Abs(want), absolute)) {
			t.Errorf("%s: %s is %.16g, for %.16g", r.ID, name, v, want)
		}
	}
}

func scansOf(t *testing.T, text string) (scans []int) {
	for _, s := range strings.Split(text, ",") {
		scans = append(scans, longtest.Must(strconv.Atoi(s))(t))
	}
	return scans
}

// evenLaw is the uniform distribution.
func evenLaw(states int) []float64 {
	law := make([]float64, states)
	for x := range law {
		law[x] = 1 / float64(states)
	}
	return law
}

func TestVariances(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	for _, r := range rows(t, "variance") {
		many, toy := of(t, &r)
		k := longtest.Must(kernels.Parse(r.Inputs.Kernel, toy.Space))(t)
		chain := longtest.Must(averages.New(ctx, k, toy.G))(t)
		f := longtest.Must(chain.Standardise(functionOf(toy, r.Inputs.Function)))(t)
		v := longtest.Must(many.Variance(ctx, f.Values))(t)
		if !(v.Error < 1e-10) {
			t.Errorf("%s: a part of %v is not known", r.ID, v.Error)
		}
		plain := longtest.Must(chain.Variance(ctx, f))(t).Autocorrelation
		rungs := float64(strings.Count(r.Inputs.Ladder, ":") + 1)
		r.same(t, map[string]float64{
			"asymptotic_variance": v.PerScan, "plain": plain, "gain_at_equal_work": plain / rungs / v.PerScan,
			"mean": f.Mean, "sd": f.SD,
		}, 2e-11, 0)
	}
}

// functionOf returns the values of a function of the state.
func functionOf(toy *toys.Toy, name string) []float64 {
	values := append([]float64(nil), toy.G...)
	for x := range values {
		switch at := toy.Space.(*grid.Lattice).Coord(x, 0); name {
		case "x0":
			values[x] = float64(at)
		case "mode":
			values[x] = 0
			if slices.Contains(toy.Mode, x) {
				values[x] = 1
			}
		}
	}
	return values
}

func TestStones(t *testing.T) {
	longtest.Only(t)
	for _, r := range rows(t, "stone") {
		many, toy := of(t, &r)
		start := many.Stationary()
		if r.Inputs.Start == "uniform" {
			start = many.Alike(evenLaw(toy.Space.States()))
		}
		got := map[string]float64{"log_z": many.LogZ()}
		for _, s := range longtest.Must(many.Stones(context.Background(), start, scansOf(t, r.Inputs.Scans)))(t) {
			for name, v := range map[string]float64{
				"mean_z_forward": s.MeanForward, "mean_z_reverse": s.MeanReverse, "mean_z2_forward": s.Square,
				"thermo_error": s.Thermo, "thermo_variance": s.ThermoVar,
			} {
				got[name+"_"+strconv.Itoa(s.Scans)] = v
			}
		}
		forward, reverse, err := many.Logs(context.Background(), start, []int{1, 2})
		longtest.NoError(t, err)
		for i := range forward {
			got["log_forward_"+strconv.Itoa(i+1)], got["log_reverse_"+strconv.Itoa(i+1)] = forward[i],
				reverse[i]
		}
		r.same(t, got, 1e-13, 1e-14)
	}
}

func TestBarriers(t *testing.T) {
	longtest.Only(t)
	for _, r := range rows(t, "barrier") {
		toy := longtest.Must(forms.Targets().Parse(r.Inputs.Toy))(t)
		path := tempered(t, toy, "metropolis", "deo", 0, 1).Path()
		lambda := longtest.Must(replicas.Barrier(context.Background(), path))(t)
		r.same(t, map[string]float64{
			"barrier": lambda, "rate_limit_deo": 1 / (2 + 2*lambda),
			"local_0": stages.RejectionRate(path, 0), "local_half": stages.RejectionRate(path, 0.5),
			"local_1": stages.RejectionRate(path, 1),
		}, 1e-13, 0)
	}
}

// TestBarrierOfSteepTargets: if one of n states takes all mass within a ten-thousandth of the path,
// Lambda is that of the whole step, 1 - 1/n: the rates of rejection of a state against n - 1 alike
// are those of two exchanges that add up.
func TestBarrierOfSteepTargets(t *testing.T) {
	for _, span := range []float64{40, 700, 1e4, 1e6} {
		path := longtest.Must(paths.NewGeometric(nil, []float64{0, span, 0, 0}))(t)
		if got := longtest.Must(replicas.Barrier(context.Background(), path))(t); math.Abs(got-0.75) > 1e-12 {
			t.Errorf("a span of %v nats: Lambda is %v, not 3/4", span, got)
		}
	}
}
