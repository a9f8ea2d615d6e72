;; project.wat — Project and Lift of package vector on Go's own memory, with the bits of project.go and lift.go.
;; The last of an odd number is a pair with a place beside it that is off.
(module
  (import "go" "mem" (memory 1))

  (func $both (param $v v128) (result f64)
    (f64.add (f64x2.extract_lane 0 (local.get $v)) (f64x2.extract_lane 1 (local.get $v))))

  ;; of the places that are on: see projection and active
  (global $mean (mut f64) (f64.const 0))
  (global $dropped (mut f64) (f64.const 0))
  (global $square (mut f64) (f64.const 0))
  (global $share (mut f64) (f64.const 0))
  (global $mass (mut f64) (f64.const 0))
  (global $variance (mut f64) (f64.const 0))
  ;; sums of what fills the row
  (global $value (mut f64) (f64.const 0))
  (global $linear (mut f64) (f64.const 0))

  ;; Top and Width into $x; the width
  (func $among (param $x i32) (param $z i32) (param $n i32) (result f64)
    (local $end i32) (local $y f64) (local $top f64) (local $bottom f64)
    (local.set $end (i32.add (local.get $z) (i32.shl (local.get $n) (i32.const 3))))
    (local.set $top (f64.load (local.get $z)))
    (local.set $bottom (local.get $top))
    (loop $next
      (local.set $y (f64.load (local.get $z)))
      (if (f64.gt (local.get $y) (local.get $top))
        (then (local.set $top (local.get $y)))
        (else (if (f64.lt (local.get $y) (local.get $bottom)) (then (local.set $bottom (local.get $y))))))
      (local.set $z (i32.add (local.get $z) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $z) (local.get $end))))
    (f64.store (local.get $x) (local.get $top))
    (local.set $y (f64.sub (local.get $top) (local.get $bottom)))
    (f64.store offset=8 (local.get $x) (local.get $y))
    (local.get $y))

  (func $moments (param $on i32) (param $q i32) (param $w i32) (param $n i32)
    (local $a v128) (local $m v128) (local $in v128) (local $count v128) (local $sum v128) (local $dropped v128) (local $square v128) (local $c f64)
    (block $done
      (loop $next
        (br_if $done (i32.lt_s (local.get $n) (i32.const 2)))
        (local.set $a (v128.load (local.get $on)))
        (local.set $m (v128.load (local.get $q)))
        (local.set $in (f64x2.ne (local.get $a) (v128.const i64x2 0 0)))
        (local.set $count (f64x2.add (local.get $count) (local.get $a)))
        (local.set $sum (f64x2.add (local.get $sum) (v128.and (v128.load (local.get $w)) (local.get $in))))
        (local.set $dropped (f64x2.add (local.get $dropped) (v128.andnot (local.get $m) (local.get $in))))
        (local.set $square (f64x2.add (local.get $square) (v128.andnot (f64x2.mul (local.get $m) (local.get $m)) (local.get $in))))
        (local.set $on (i32.add (local.get $on) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (local.set $n (i32.sub (local.get $n) (i32.const 2)))
        (br $next)))
    (if (local.get $n)
      (then
        (local.set $a (v128.load64_zero (local.get $on)))
        (local.set $m (v128.load64_zero (local.get $q)))
        (local.set $in (f64x2.ne (local.get $a) (v128.const i64x2 0 0)))
        (local.set $count (f64x2.add (local.get $count) (local.get $a)))
        (local.set $sum (f64x2.add (local.get $sum) (v128.and (v128.load64_zero (local.get $w)) (local.get $in))))
        (local.set $dropped (f64x2.add (local.get $dropped) (v128.andnot (local.get $m) (local.get $in))))
        (local.set $square (f64x2.add (local.get $square) (v128.andnot (f64x2.mul (local.get $m) (local.get $m)) (local.get $in))))))
    (local.set $c (call $both (local.get $count)))
    (global.set $mean (f64.div (call $both (local.get $sum)) (local.get $c)))
    (global.set $dropped (call $both (local.get $dropped)))
    (global.set $square (call $both (local.get $square)))
    (global.set $share (f64.div (global.get $dropped) (local.get $c))))

  ;; all on; then off where q <= 0 and w < Mean, until there is none
  (func $begin (param $on i32) (param $q i32) (param $w i32) (param $n i32)
    (local $a i32) (local $j i32) (local $hit i32) (local $end i32)
    (local.set $end (i32.shl (local.get $n) (i32.const 3)))
    (loop $one
      (f64.store (i32.add (local.get $on) (local.get $j)) (f64.const 1))
      (local.set $j (i32.add (local.get $j) (i32.const 8)))
      (br_if $one (i32.lt_s (local.get $j) (local.get $end))))
    (loop $again
      (call $moments (local.get $on) (local.get $q) (local.get $w) (local.get $n))
      (local.set $hit (i32.const 0))
      (local.set $j (i32.const 0))
      (loop $next
        (if (f64.le (f64.load (i32.add (local.get $q) (local.get $j))) (f64.const 0))
          (then
            (local.set $a (i32.add (local.get $on) (local.get $j)))
            (if (i32.and
                (f64.ne (f64.load (local.get $a)) (f64.const 0))
                (f64.lt (f64.load (i32.add (local.get $w) (local.get $j))) (global.get $mean)))
              (then
                (f64.store (local.get $a) (f64.const 0))
                (local.set $hit (i32.const 1))))))
        (local.set $j (i32.add (local.get $j) (i32.const 8)))
        (br_if $next (i32.lt_s (local.get $j) (local.get $end))))
      (br_if $again (local.get $hit))))

  ;; off where (q + Share) + t (w - Mean) < 0; whether there was any
  (func $once (param $on i32) (param $q i32) (param $w i32) (param $n i32) (param $t f64) (result i32)
    (local $a v128) (local $c v128) (local $hit v128) (local $mean v128) (local $share v128) (local $by v128)
    (local.set $mean (f64x2.splat (global.get $mean)))
    (local.set $share (f64x2.splat (global.get $share)))
    (local.set $by (f64x2.splat (local.get $t)))
    (block $done
      (loop $next
        (br_if $done (i32.lt_s (local.get $n) (i32.const 2)))
        (local.set $a (v128.load (local.get $on)))
        (local.set $c (v128.and
          (f64x2.ne (local.get $a) (v128.const i64x2 0 0))
          (f64x2.lt
            (f64x2.add (f64x2.add (v128.load (local.get $q)) (local.get $share)) (f64x2.mul (local.get $by) (f64x2.sub (v128.load (local.get $w)) (local.get $mean))))
            (v128.const i64x2 0 0))))
        (local.set $hit (v128.or (local.get $hit) (local.get $c)))
        (local.set $a (v128.andnot (local.get $a) (local.get $c)))
        (v128.store (local.get $on) (local.get $a))
        (local.set $on (i32.add (local.get $on) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (local.set $n (i32.sub (local.get $n) (i32.const 2)))
        (br $next)))
    (if (local.get $n)
      (then
        (local.set $a (v128.load64_zero (local.get $on)))
        (local.set $c (v128.and
          (f64x2.ne (local.get $a) (v128.const i64x2 0 0))
          (f64x2.lt
            (f64x2.add (f64x2.add (v128.load64_zero (local.get $q)) (local.get $share)) (f64x2.mul (local.get $by) (f64x2.sub (v128.load64_zero (local.get $w)) (local.get $mean))))
            (v128.const i64x2 0 0))))
        (local.set $hit (v128.or (local.get $hit) (local.get $c)))
        (local.set $a (v128.andnot (local.get $a) (local.get $c)))
        (v128.store64_lane 0 (local.get $on) (local.get $a))))
    (v128.any_true (local.get $hit)))

  (func $step (param $on i32) (param $q i32) (param $w i32) (param $n i32) (param $t f64) (result i32)
    (local $any i32)
    (loop $again
      (if (call $once (local.get $on) (local.get $q) (local.get $w) (local.get $n) (local.get $t))
        (then
          (local.set $any (i32.const 1))
          (call $moments (local.get $on) (local.get $q) (local.get $w) (local.get $n))
          (br $again))))
    (local.get $any))

  ;; Σ (w - Mean)² where it is on
  (func $spread (param $on i32) (param $w i32) (param $n i32) (result f64)
    (local $d v128) (local $sum v128) (local $mean v128)
    (local.set $mean (f64x2.splat (global.get $mean)))
    (block $done
      (loop $next
        (br_if $done (i32.lt_s (local.get $n) (i32.const 2)))
        (local.set $d (f64x2.sub (v128.load (local.get $w)) (local.get $mean)))
        (local.set $sum (f64x2.add (local.get $sum) (v128.and
          (f64x2.ne (v128.load (local.get $on)) (v128.const i64x2 0 0)) (f64x2.mul (local.get $d) (local.get $d)))))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (local.set $on (i32.add (local.get $on) (i32.const 16)))
        (local.set $n (i32.sub (local.get $n) (i32.const 2)))
        (br $next)))
    (if (local.get $n)
      (then
        (local.set $d (f64x2.sub (v128.load64_zero (local.get $w)) (local.get $mean)))
        (local.set $sum (f64x2.add (local.get $sum) (v128.and
          (f64x2.ne (v128.load64_zero (local.get $on)) (v128.const i64x2 0 0)) (f64x2.mul (local.get $d) (local.get $d)))))))
    (call $both (local.get $sum)))

  (func $fill (param $p i32) (param $q i32) (param $w i32) (param $n i32) (param $t f64)
    (local $m v128) (local $y v128) (local $f v128) (local $u v128) (local $by v128) (local $mean v128) (local $share v128) (local $eta v128)
    (local $value v128) (local $linear v128) (local $square v128)
    (local.set $by (f64x2.splat (local.get $t)))
    (local.set $mean (f64x2.splat (global.get $mean)))
    (local.set $share (f64x2.splat (global.get $share)))
    (local.set $eta (f64x2.sub (local.get $mean) (f64x2.div (local.get $share) (local.get $by))))
    (block $done
      (loop $next
        (br_if $done (i32.lt_s (local.get $n) (i32.const 2)))
        (local.set $m (v128.load (local.get $q)))
        (local.set $y (v128.load (local.get $w)))
        (local.set $f (f64x2.add (f64x2.add (local.get $m) (local.get $share)) (f64x2.mul (local.get $by) (f64x2.sub (local.get $y) (local.get $mean)))))
        (local.set $f (v128.and (f64x2.pmax (local.get $f) (v128.const i64x2 0 0)) (f64x2.ne (v128.load (local.get $p)) (v128.const i64x2 0 0))))
        (v128.store (local.get $p) (local.get $f))
        (local.set $value (f64x2.add (local.get $value) (f64x2.mul (local.get $f) (local.get $y))))
        (local.set $u (f64x2.pmax (f64x2.sub (local.get $y) (local.get $eta)) (f64x2.div (f64x2.neg (local.get $m)) (local.get $by))))
        (local.set $linear (f64x2.add (local.get $linear) (f64x2.mul (local.get $m) (local.get $u))))
        (local.set $square (f64x2.add (local.get $square) (f64x2.mul (local.get $u) (local.get $u))))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (local.set $w (i32.add (local.get $w) (i32.const 16)))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (local.set $n (i32.sub (local.get $n) (i32.const 2)))
        (br $next)))
    (if (local.get $n)
      (then
        (local.set $m (v128.load64_zero (local.get $q)))
        (local.set $y (v128.load64_zero (local.get $w)))
        (local.set $f (f64x2.add (f64x2.add (local.get $m) (local.get $share)) (f64x2.mul (local.get $by) (f64x2.sub (local.get $y) (local.get $mean)))))
        (local.set $f (v128.and (f64x2.pmax (local.get $f) (v128.const i64x2 0 0)) (f64x2.ne (v128.load64_zero (local.get $p)) (v128.const i64x2 0 0))))
        (v128.store64_lane 0 (local.get $p) (local.get $f))
        (local.set $value (f64x2.add (local.get $value) (f64x2.mul (local.get $f) (local.get $y))))
        (local.set $u (f64x2.pmax (f64x2.sub (local.get $y) (local.get $eta)) (f64x2.div (f64x2.neg (local.get $m)) (local.get $by))))
        (local.set $u (v128.and (local.get $u) (v128.const i64x2 -1 0)))
        (local.set $linear (f64x2.add (local.get $linear) (f64x2.mul (local.get $m) (local.get $u))))
        (local.set $square (f64x2.add (local.get $square) (f64x2.mul (local.get $u) (local.get $u))))))
    (global.set $value (call $both (local.get $value)))
    (global.set $linear (call $both (local.get $linear)))
    (global.set $square (call $both (local.get $square))))

  (func (export "project") (param $x i32) (param $p i32) (param $w i32) (param $q i32) (param $z i32) (param $n i32) (param $r f64)
    (local $j i32) (local $end i32) (local $a i32)
    (local $top f64) (local $width f64) (local $scale f64) (local $t f64) (local $variance f64) (local $room f64) (local $sum f64)
    (local.set $width (call $among (local.get $x) (local.get $z) (local.get $n)))
    (if (f64.lt (local.get $width) (f64.const 1e-290)) (then (return)))
    (local.set $top (f64.load (local.get $x)))
    (local.set $scale (f64.div (f64.const 1) (local.get $width)))
    (local.set $end (i32.shl (local.get $n) (i32.const 3)))
    (loop $next
      (f64.store (i32.add (local.get $w) (local.get $j))
        (f64.mul (f64.sub (f64.load (i32.add (local.get $z) (local.get $j))) (local.get $top)) (local.get $scale)))
      (local.set $j (i32.add (local.get $j) (i32.const 8)))
      (br_if $next (i32.lt_s (local.get $j) (local.get $end))))
    (call $begin (local.get $p) (local.get $q) (local.get $w) (local.get $n))
    (block $done
      (loop $again
        (local.set $variance (call $spread (local.get $p) (local.get $w) (local.get $n)))
        (if (f64.eq (local.get $variance) (f64.const 0))
          (then
            (local.set $t (f64.const inf))
            (br $done)))
        (local.set $room (f64.sub (f64.sub (f64.mul (local.get $r) (local.get $r)) (global.get $square)) (f64.mul (global.get $dropped) (global.get $share))))
        (br_if $done (i32.eqz (f64.gt (local.get $room) (f64.const 0))))
        (local.set $room (f64.sqrt (f64.div (local.get $room) (local.get $variance))))
        (br_if $done (f64.le (local.get $room) (local.get $t)))
        (local.set $t (local.get $room))
        (br_if $again (call $step (local.get $p) (local.get $q) (local.get $w) (local.get $n) (local.get $t)))))
    (if (i32.or (f64.eq (local.get $t) (f64.const 0)) (f64.eq (local.get $t) (f64.const inf)))
      (then
        (local.set $j (i32.const 0))
        (loop $next
          (local.set $a (i32.add (local.get $p) (local.get $j)))
          (if (f64.ne (f64.load (local.get $a)) (f64.const 0))
            (then (f64.store (local.get $a) (f64.add (f64.load (i32.add (local.get $q) (local.get $j))) (global.get $share)))))
          (local.set $sum (f64.add (local.get $sum) (f64.mul (f64.load (local.get $a)) (f64.load (i32.add (local.get $w) (local.get $j))))))
          (local.set $j (i32.add (local.get $j) (i32.const 8)))
          (br_if $next (i32.lt_s (local.get $j) (local.get $end))))
        (f64.store offset=16 (local.get $x) (f64.mul (local.get $sum) (local.get $width)))
        (f64.store offset=24 (local.get $x) (f64.const 0))
        (return)))
    (call $fill (local.get $p) (local.get $q) (local.get $w) (local.get $n) (local.get $t))
    (f64.store offset=16 (local.get $x) (f64.mul (global.get $value) (local.get $width)))
    (f64.store offset=24 (local.get $x) (f64.mul
      (f64.add
        (f64.add (f64.sub (global.get $mean) (f64.div (global.get $share) (local.get $t))) (global.get $linear))
        (f64.mul (local.get $r) (f64.sqrt (global.get $square))))
      (local.get $width))))

  ;; the moments of w = (z - base) scale under q where z is above the cut
  (func $above (param $q i32) (param $z i32) (param $n i32) (param $base f64) (param $scale f64) (param $cut f64)
    (local $k i32) (local $a i32) (local $b i32)
    (local $y v128) (local $in v128) (local $m v128) (local $mass v128) (local $first v128) (local $dropped v128) (local $square v128) (local $mean f64)
    (local.set $k (local.get $n))
    (local.set $a (local.get $q))
    (local.set $b (local.get $z))
    (block $done
      (loop $next
        (br_if $done (i32.lt_s (local.get $k) (i32.const 2)))
        (local.set $y (v128.load (local.get $b)))
        (local.set $m (v128.load (local.get $a)))
        (local.set $in (f64x2.gt (local.get $y) (f64x2.splat (local.get $cut))))
        (local.set $dropped (f64x2.add (local.get $dropped) (v128.andnot (local.get $m) (local.get $in))))
        (local.set $mass (f64x2.add (local.get $mass) (v128.and (local.get $m) (local.get $in))))
        (local.set $first (f64x2.add (local.get $first) (v128.and (local.get $in) (f64x2.mul (local.get $m) (f64x2.mul (f64x2.sub (local.get $y) (f64x2.splat (local.get $base))) (f64x2.splat (local.get $scale)))))))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (local.set $k (i32.sub (local.get $k) (i32.const 2)))
        (br $next)))
    (if (local.get $k)
      (then
        (local.set $y (v128.load64_zero (local.get $b)))
        (local.set $m (v128.load64_zero (local.get $a)))
        (local.set $in (f64x2.gt (local.get $y) (f64x2.splat (local.get $cut))))
        (local.set $dropped (f64x2.add (local.get $dropped) (v128.andnot (local.get $m) (local.get $in))))
        (local.set $mass (f64x2.add (local.get $mass) (v128.and (local.get $m) (local.get $in))))
        (local.set $first (f64x2.add (local.get $first) (v128.and (local.get $in) (f64x2.mul (local.get $m) (f64x2.mul (f64x2.sub (local.get $y) (f64x2.splat (local.get $base))) (f64x2.splat (local.get $scale)))))))))
    (global.set $mass (call $both (local.get $mass)))
    (global.set $dropped (call $both (local.get $dropped)))
    (local.set $mean (f64.div (call $both (local.get $first)) (global.get $mass)))
    (global.set $mean (local.get $mean))
    (local.set $k (local.get $n))
    (block $done
      (loop $next
        (br_if $done (i32.lt_s (local.get $k) (i32.const 2)))
        (local.set $y (v128.load (local.get $z)))
        (local.set $m (v128.load (local.get $q)))
        (local.set $in (f64x2.gt (local.get $y) (f64x2.splat (local.get $cut))))
        (local.set $y (f64x2.sub (f64x2.mul (f64x2.sub (local.get $y) (f64x2.splat (local.get $base))) (f64x2.splat (local.get $scale))) (f64x2.splat (local.get $mean))))
        (local.set $square (f64x2.add (local.get $square) (v128.and (local.get $in) (f64x2.mul (f64x2.mul (local.get $m) (local.get $y)) (local.get $y)))))
        (local.set $z (i32.add (local.get $z) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (local.set $k (i32.sub (local.get $k) (i32.const 2)))
        (br $next)))
    (if (local.get $k)
      (then
        (local.set $y (v128.load64_zero (local.get $z)))
        (local.set $m (v128.load64_zero (local.get $q)))
        (local.set $in (f64x2.gt (local.get $y) (f64x2.splat (local.get $cut))))
        (local.set $y (f64x2.sub (f64x2.mul (f64x2.sub (local.get $y) (f64x2.splat (local.get $base))) (f64x2.splat (local.get $scale))) (f64x2.splat (local.get $mean))))
        (local.set $square (f64x2.add (local.get $square) (v128.and (local.get $in) (f64x2.mul (f64x2.mul (local.get $m) (local.get $y)) (local.get $y)))))))
    (global.set $variance (f64.div (call $both (local.get $square)) (global.get $mass))))

  ;; the cut raised to the largest z with w of at most eta
  (func $drop (param $z i32) (param $n i32) (param $base f64) (param $scale f64) (param $cut f64) (param $eta f64) (result f64)
    (local $end i32) (local $y f64)
    (local.set $end (i32.add (local.get $z) (i32.shl (local.get $n) (i32.const 3))))
    (loop $next
      (local.set $y (f64.load (local.get $z)))
      (if (f64.gt (local.get $y) (local.get $cut))
        (then (if (f64.le (f64.mul (f64.sub (local.get $y) (local.get $base)) (local.get $scale)) (local.get $eta))
          (then (local.set $cut (local.get $y))))))
      (local.set $z (i32.add (local.get $z) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $z) (local.get $end))))
    (local.get $cut))

  ;; z where q is largest above the cut
  (func $heaviest (param $q i32) (param $z i32) (param $n i32) (param $cut f64) (result f64)
    (local $end i32) (local $most f64) (local $at f64)
    (local.set $end (i32.add (local.get $z) (i32.shl (local.get $n) (i32.const 3))))
    (local.set $most (f64.const -1))
    (local.set $at (f64.load (local.get $z)))
    (loop $next
      (if (f64.gt (f64.load (local.get $z)) (local.get $cut))
        (then (if (f64.gt (f64.load (local.get $q)) (local.get $most))
          (then
            (local.set $most (f64.load (local.get $q)))
            (local.set $at (f64.load (local.get $z)))))))
      (local.set $q (i32.add (local.get $q) (i32.const 8)))
      (local.set $z (i32.add (local.get $z) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $z) (local.get $end))))
    (local.get $at))

  (func $raise (param $p i32) (param $q i32) (param $z i32) (param $k i32)
    (param $base f64) (param $scale f64) (param $cut f64) (param $mean f64) (param $spread f64) (param $top f64)
    (local $y v128) (local $m v128) (local $f v128) (local $all v128) (local $mass v128) (local $value v128)
    ;; where spread is not above 0 the factor is 1
    (if (i32.eqz (f64.gt (local.get $spread) (f64.const 0))) (then (local.set $all (v128.const i64x2 -1 -1))))
    (block $done
      (loop $next
        (br_if $done (i32.lt_s (local.get $k) (i32.const 2)))
        (local.set $y (v128.load (local.get $z)))
        (local.set $f (f64x2.add (f64x2.splat (f64.const 1))
          (f64x2.div (f64x2.sub (f64x2.mul (f64x2.sub (local.get $y) (f64x2.splat (local.get $base))) (f64x2.splat (local.get $scale))) (f64x2.splat (local.get $mean))) (f64x2.splat (local.get $spread)))))
        (local.set $f (v128.bitselect (f64x2.splat (f64.const 1)) (f64x2.pmax (local.get $f) (v128.const i64x2 0 0)) (local.get $all)))
        (local.set $m (v128.and (f64x2.gt (local.get $y) (f64x2.splat (local.get $cut))) (f64x2.mul (v128.load (local.get $q)) (local.get $f))))
        (v128.store (local.get $p) (local.get $m))
        (local.set $mass (f64x2.add (local.get $mass) (local.get $m)))
        (local.set $value (f64x2.add (local.get $value) (f64x2.mul (local.get $m) (f64x2.sub (local.get $y) (f64x2.splat (local.get $top))))))
        (local.set $z (i32.add (local.get $z) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 16)))
        (local.set $p (i32.add (local.get $p) (i32.const 16)))
        (local.set $k (i32.sub (local.get $k) (i32.const 2)))
        (br $next)))
    (if (local.get $k)
      (then
        (local.set $y (v128.load64_zero (local.get $z)))
        (local.set $f (f64x2.add (f64x2.splat (f64.const 1))
          (f64x2.div (f64x2.sub (f64x2.mul (f64x2.sub (local.get $y) (f64x2.splat (local.get $base))) (f64x2.splat (local.get $scale))) (f64x2.splat (local.get $mean))) (f64x2.splat (local.get $spread)))))
        (local.set $f (v128.bitselect (f64x2.splat (f64.const 1)) (f64x2.pmax (local.get $f) (v128.const i64x2 0 0)) (local.get $all)))
        (local.set $m (v128.and (f64x2.gt (local.get $y) (f64x2.splat (local.get $cut))) (f64x2.mul (v128.load64_zero (local.get $q)) (local.get $f))))
        (v128.store64_lane 0 (local.get $p) (local.get $m))
        (local.set $mass (f64x2.add (local.get $mass) (local.get $m)))
        (local.set $value (f64x2.add (local.get $value) (f64x2.mul (local.get $m) (f64x2.sub (local.get $y) (f64x2.splat (local.get $top))))))))
    (global.set $mass (call $both (local.get $mass)))
    (global.set $value (call $both (local.get $value))))

  ;; the dual at mean - x, see bound
  (func $bound (param $x f64) (param $over f64) (result f64)
    (local $more f64) (local $root f64)
    (local.set $more (f64.add (f64.const 1) (local.get $over)))
    (local.set $root (f64.sqrt (f64.mul (local.get $more) (f64.add (f64.mul (local.get $x) (local.get $x)) (global.get $variance)))))
    (f64.add (global.get $mean)
      (f64.div
        (f64.add (f64.mul (f64.mul (local.get $over) (local.get $x)) (local.get $x)) (f64.mul (local.get $more) (global.get $variance)))
        (f64.add (local.get $x) (local.get $root)))))

  (func (export "lift") (param $x i32) (param $p i32) (param $q i32) (param $z i32) (param $n i32) (param $rho f64)
    (local $end i32) (local $top f64) (local $width f64) (local $scale f64) (local $cut f64) (local $base f64)
    (local $over f64) (local $spread f64) (local $dual f64) (local $next f64)
    (local.set $width (call $among (local.get $x) (local.get $z) (local.get $n)))
    (if (f64.lt (local.get $width) (f64.const 1e-290)) (then (return)))
    (local.set $top (f64.load (local.get $x)))
    (local.set $scale (f64.div (f64.const 1) (local.get $width)))
    (local.set $cut (f64.const -inf))
    (block $done
      (loop $again
        (local.set $base (call $heaviest (local.get $q) (local.get $z) (local.get $n) (local.get $cut)))
        (call $above (local.get $q) (local.get $z) (local.get $n) (local.get $base) (local.get $scale) (local.get $cut))
        (local.set $spread (f64.const 0))
        (br_if $done (f64.eq (global.get $variance) (f64.const 0)))
        (local.set $over (f64.sub (f64.mul (local.get $rho) (global.get $mass)) (global.get $dropped)))
        (if (i32.eqz (f64.gt (local.get $over) (f64.const 0)))
          (then ;; the ball just reaches q conditioned on the active set
            (local.set $dual (call $bound
              (f64.sub (global.get $mean) (f64.mul (f64.sub (local.get $cut) (local.get $base)) (local.get $scale))) (local.get $over)))
            (local.set $dual (f64.add (local.get $dual) (f64.mul (f64.sub (local.get $base) (local.get $top)) (local.get $scale))))
            (br $done)))
        (local.set $spread (f64.sqrt (f64.div (global.get $variance) (local.get $over))))
        (local.set $next (call $drop (local.get $z) (local.get $n) (local.get $base) (local.get $scale) (local.get $cut)
          (f64.sub (global.get $mean) (local.get $spread))))
        (if (f64.eq (local.get $next) (local.get $cut))
          (then
            (local.set $dual (f64.add (call $bound (local.get $spread) (local.get $over))
              (f64.mul (f64.sub (local.get $base) (local.get $top)) (local.get $scale))))
            (br $done)))
        (local.set $cut (local.get $next))
        (br $again)))
    (call $raise (local.get $p) (local.get $q) (local.get $z) (local.get $n)
      (local.get $base) (local.get $scale) (local.get $cut) (global.get $mean) (local.get $spread) (local.get $top))
    (local.set $scale (f64.div (f64.const 1) (global.get $mass)))
    (f64.store offset=16 (local.get $x) (f64.mul (global.get $value) (local.get $scale)))
    (f64.store offset=24 (local.get $x) (f64.mul (local.get $dual) (local.get $width)))
    (local.set $end (i32.add (local.get $p) (i32.shl (local.get $n) (i32.const 3))))
    (loop $next
      (f64.store (local.get $p) (f64.mul (f64.load (local.get $p)) (local.get $scale)))
      (local.set $p (i32.add (local.get $p) (i32.const 8)))
      (br_if $next (i32.lt_u (local.get $p) (local.get $end))))))
