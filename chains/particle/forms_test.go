package particle_test

import (
	"strings"
	"testing"

	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
)

func TestSchemeForms(t *testing.T) {
	selectortest.Run(t, selectortest.Check[selector.Nothing, particle.Scheme]{
		Set: particle.Forms(), Name: particle.Scheme.String, Same: func(a, b particle.Scheme) bool { return a == b },
	})
	if _, err := particle.ParseScheme("sistematic"); err == nil || err.Error() != `unknown resampling scheme "sistematic"; did you mean systematic? choices: multinomial, stratified, systematic, residual` {
		t.Errorf("a misspelt scheme: %v", err)
	}
}

func FuzzParseScheme(f *testing.F) {
	for _, s := range []string{"multinomial", "systematic:", "residual:0.5", "STRATIFIED", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := particle.ParseScheme(text)
		if err == nil && s.String() != text {
			t.Errorf("%q is the scheme %s", text, s)
		}
		if err != nil && strings.ContainsRune(err.Error(), '\n') {
			t.Errorf("%q: the error has several lines: %v", text, err)
		}
	})
}
