package catalogue

import (
	"context"
	"math"
	"testing"

	article "breadboard/experiments/checks/reproduce/aide"
	"breadboard/experiments/particles/aide"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// aideStudy returns a made-up study with everything that a report can show.
func aideStudy() (rows []article.Row) {
	posterior := &article.Posterior{
		Probe:     "the mean number of clusters",
		Exact:     2.9283,
		Marginals: [][]float64{{0.5, 0.5}, {0.25, 0.75}, {0.1, 0.9}},
	}
	for _, a := range []struct {
		particles, meta int
		rejuvenate      bool
		j               float64
	}{{1, 1, false, 8.5}, {1, 10, false, 8.5}, {2, 1, false, 4.5}, {2, 10, false, 4.5}, {1, 1, true, 7},
		{2, 1, true, 3}} {
		rows = append(rows, article.Row{
			Study:      "mixture",
			Posterior:  posterior,
			Algorithm:  "prior",
			Particles:  a.particles,
			Rejuvenate: a.rejuvenate,
			Meta:       a.meta,
			J:          a.j,
			Mean:       a.j + 1/float64(a.meta),
			SD:         1,
			LMLError:   -a.j / 2,
			Probe:      2 + float64(a.particles)/10,
			Method:     "counts",
		})
	}
	last := &rows[len(rows)-1]
	last.J = math.NaN()
	last.Method = article.MethodSampled
	last.MeanError = 0.01
	last.LMLStandardError = 0.02
	last.ProbeError = 0.003
	last.Notes = []string{"too many partitions"}
	rows[0].Marginals = [][]float64{{0.4, 0.6}, {0.3, 0.7}, {0.3, 0.7}}
	return rows
}

func TestAIDEStudyFigures(t *testing.T) {
	longtest.Only(t)
	s := aideStudy()
	for _, part := range article.Study().Declaration.Show(s).Figures() {
		drawFigure(t, part, "")
	}
	longtest.Refuses(article.Study().Declaration.Show(s[1:]).Figures()[1].Draw())(t, "two values of t")
	longtest.Refuses(article.Study().Declaration.Show(s[:2]).Figures()[0].Draw())(t, "no row has numbers for AIDE")
}

// aideFindings checks two particles with a scheme on the default targets.
func aideFindings(t *testing.T, algorithm, scheme string) []aide.Finding {
	t.Helper()
	choice := longtest.Must(aide.Parse(algorithm + ":" + scheme))(t)
	few := casesOf(t, subject.Selection{Toys: aide.CheckToys(), Distributions: []int{aide.CheckDistributions}})
	return longtest.Must(aide.Check(context.Background(), choice, few, nil))(t)
}
