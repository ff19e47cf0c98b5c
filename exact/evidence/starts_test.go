package evidence_test

import (
	"context"
	"math"
	"testing"

	estimators "breadboard/chains/evidence"
	"breadboard/exact/evidence"
	"breadboard/toys"
	"breadboard/toys/models"
)

// must returns a value, and panics where there is an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// clusters returns a clustering as the methods that climb need it.
func clusters(m *models.Clustering) *estimators.Clusters { return (*estimators.Clusters)(m) }

// meanField returns the mean field of a model.
func meanField(m models.Model, symmetry estimators.Symmetry) estimators.Climber {
	return must(estimators.NewMeanField(m.Space(), toys.OfModel("m", "", m).G, symmetry))
}

// TestReferenceOfStarts holds every row of an independent program to the digits that it gives. All are nats.
func TestReferenceOfStarts(t *testing.T) {
	clu4, clu6, clu8 := models.Clu4(), models.Clu6(), models.Clu8()
	vb := func(m *models.Clustering, s estimators.Symmetry) estimators.Climber {
		return must(estimators.NewVariationalBayes(clusters(m), s))
	}
	law := func(c estimators.Climber, restarts int) *evidence.Starts {
		return must(evidence.NewStarts(context.Background(), c, restarts, 0))
	}
	best := func(c estimators.Climber) float64 { return law(c, 1).Best() }
	mean := func(c estimators.Climber, restarts, trials int) float64 {
		return must(law(c, restarts).Moments(context.Background(), trials)).Mean
	}
	optima := func(c estimators.Climber) float64 { return float64(len(law(c, 1).Atoms())) }
	one, factorial, mixture := estimators.OneNaming, estimators.LogFactorial, estimators.AllNamings
	bic4, bic8 := must(estimators.NewBIC(clusters(clu4))), must(estimators.NewBIC(clusters(clu8)))
	for _, row := range []struct {
		name      string
		got, want float64
	}{
		{"clu4, vb, best", best(vb(clu4, one)), -4.51924613080483},
		{"clu4, vb, 1 restart", mean(vb(clu4, one), 1, 1), -4.51924613080483},
		{"clu4, vb, 5 restarts", mean(vb(clu4, one), 5, 1), -4.51924613080483},
		{"clu4, vb, 25 restarts", mean(vb(clu4, one), 25, 1), -4.51924613080483},
		{"clu4, vb, optima", optima(vb(clu4, one)), 1},
		{"clu4, vb+sym, best", best(vb(clu4, factorial)), -3.82609895024489},
		{"clu4, meanfield, best", best(meanField(clu4, one)), -4.50122469689895},
		{"clu4, meanfield, symmetrised", best(meanField(clu4, mixture)), -4.50122469689895},
		{"clu4, meanfield, plus log K!", best(meanField(clu4, factorial)), -3.80807751633901},
		{"clu4, bic, largest log likelihood", best(bic4) + bic4.Penalty(), -4.40575413281869},
		{"clu4, bic, parameters", float64(bic4.Parameters()), 2},
		{"clu4, bic", best(bic4), -5.79204849393858},
		{"clu8, vb, best", best(vb(clu8, one)), -19.9363970998346},
		{"clu8, vb, 1 restart", mean(vb(clu8, one), 1, 1), -20.0215455533613},
		{"clu8, vb, 5 restarts", mean(vb(clu8, one), 5, 1), -19.9363971001518},
		{"clu8, vb, 1 restart, 5 trials", mean(vb(clu8, one), 1, 5), -19.9363971001518},
		{"clu8, vb, 25 restarts", mean(vb(clu8, one), 25, 1), -19.9363970998346},
		{"clu8, vb, optima", optima(vb(clu8, one)), 2},
		{"clu8, vb+sym, best", best(vb(clu8, factorial)), -19.2432499192747},
		{"clu8, meanfield, best", best(meanField(clu8, one)), -19.7087434292149},
		{"clu8, meanfield, symmetrised", best(meanField(clu8, mixture)), -19.0155962488073},
		{"clu8, meanfield, plus log K!", best(meanField(clu8, factorial)), -19.015596248655},
		{"clu8, bic, largest log likelihood", best(bic8) + bic8.Penalty(), -15.8764489354722},
		{"clu8, bic, parameters", float64(bic8.Parameters()), 2},
		{"clu8, bic", best(bic8), -17.955890477152},
		{"clu6, vb, best", best(vb(clu6, one)), -26.2698710959643},
		{"clu6, vb+sym, best", best(vb(clu6, factorial)), -24.4781116267362},
	} {
		t.Logf("%-35s %.13f", row.name, row.got)
		if math.Abs(row.got-row.want) > 1e-12 {
			t.Errorf("%s: %.15g, want %.15g", row.name, row.got, row.want)
		}
	}
}
