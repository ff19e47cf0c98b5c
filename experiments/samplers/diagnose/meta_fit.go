package diagnose

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// fit returns the process with the hyperparameters of the largest evidence that searches from several starts find. Features and labels
// should be standardised. Searches are quasi-Newton (gonum's BFGS), with the gradient. The evidence may have several maxima; what the
// starts lead to is deterministic. It fails where the context ends.
func (p *process) fit(ctx context.Context) (*posterior, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	var best hyperparameters
	most := math.Inf(-1)
	for _, from := range starts(len(p.x[0])) {
		h, value, err := p.climb(ctx, from)
		if err != nil {
			return nil, err
		}
		if value > most {
			best, most = h, value
		}
	}
	if best == nil {
		return nil, errSingular
	}
	return p.learn(best)
}

// starts returns where searches begin: a rough function with little noise, and a smooth one with much. Lengths are in units of the spread
// of a feature, and standard deviations in units of that of the labels.
func starts(features int) []hyperparameters {
	var out []hyperparameters
	for _, s := range []struct{ length, signal, noise float64 }{{1, 1, 0.3}, {4, 0.7, 0.7}} {
		h := make(hyperparameters, features, features+2)
		for d := range h {
			h[d] = math.Log(s.length * math.Sqrt(float64(features)))
		}
		out = append(out, append(h, math.Log(s.signal), math.Log(s.noise)))
	}
	return out
}

// The ends of a search: the gradient of the log evidence; what five iterations gain of it, in nats, which ends a search whose evidence
// grows ever more slowly as a length grows without bound; and the number of iterations.
const (
	settled       = 1e-4
	gained        = 1e-4
	maxIterations = 100
)

// climb searches from one start. It returns the best place that it has seen, and the log evidence there.
func (p *process) climb(ctx context.Context, from hyperparameters) (best hyperparameters, value float64, err error) {
	value = math.Inf(-1)
	var at hyperparameters
	var last evaluation
	evaluate := func(x []float64) evaluation {
		if err != nil { // the context has ended; the search is told so by Status
			return evaluation{math.Inf(-1), make([]float64, len(x))}
		}
		if at == nil || !slices.Equal(at, x) {
			at = append(at[:0], x...)
			if last, err = p.evaluate(ctx, at); err != nil {
				return evaluation{math.Inf(-1), make([]float64, len(x))}
			}
			if last.value > value {
				best, value = append(best[:0], at...), last.value
			}
		}
		return last
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return -evaluate(x).value },
		Grad: func(to, x []float64) {
			for i, g := range evaluate(x).gradient {
				to[i] = -g
			}
		},
		Status: func() (optimize.Status, error) {
			if err != nil {
				return optimize.Failure, err
			}
			return optimize.NotTerminated, nil
		},
	}
	settings := &optimize.Settings{
		GradientThreshold: settled, MajorIterations: maxIterations,
		Converger: &optimize.FunctionConverge{Absolute: gained, Iterations: 5},
	}
	// The error of a search that finds no better place along a line says that it has come as far as floating point lets it.
	_, _ = optimize.Minimize(problem, from, settings, &optimize.BFGS{})
	return best, value, err
}
