;; project.wat — the methods of Projection of package vector on Go's own memory, with the bits of
;; project.go; $x is where it is. The last of an odd number is a pair with a place beside it that is off.
(module
  (import "go" "mem" (memory 1))

  (func $both (param $v v128) (result f64)
    (f64.add (f64x2.extract_lane 0 (local.get $v)) (f64x2.extract_lane 1 (local.get $v))))

  (func $moments (param $x i32) (param $on i32) (param $q i32) (param $w i32) (param $n i32)
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
    (f64.store (local.get $x) (local.get $c))
    (f64.store offset=8 (local.get $x) (f64.div (call $both (local.get $sum)) (local.get $c)))
    (f64.store offset=16 (local.get $x) (call $both (local.get $dropped)))
    (f64.store offset=24 (local.get $x) (call $both (local.get $square)))
    (f64.store offset=32 (local.get $x) (f64.div (call $both (local.get $dropped)) (local.get $c))))

  ;; all on; then off where q <= 0 and w < Mean, until there is none
  (func (export "projectBegin") (param $x i32) (param $on i32) (param $q i32) (param $w i32) (param $n i32)
    (local $a i32) (local $j i32) (local $hit i32) (local $end i32)
    (local.set $end (i32.shl (local.get $n) (i32.const 3)))
    (loop $one
      (f64.store (i32.add (local.get $on) (local.get $j)) (f64.const 1))
      (local.set $j (i32.add (local.get $j) (i32.const 8)))
      (br_if $one (i32.lt_s (local.get $j) (local.get $end))))
    (loop $again
      (call $moments (local.get $x) (local.get $on) (local.get $q) (local.get $w) (local.get $n))
      (local.set $hit (i32.const 0))
      (local.set $j (i32.const 0))
      (loop $next
        (if (f64.le (f64.load (i32.add (local.get $q) (local.get $j))) (f64.const 0))
          (then
            (local.set $a (i32.add (local.get $on) (local.get $j)))
            (if (i32.and
                (f64.ne (f64.load (local.get $a)) (f64.const 0))
                (f64.lt (f64.load (i32.add (local.get $w) (local.get $j))) (f64.load offset=8 (local.get $x))))
              (then
                (f64.store (local.get $a) (f64.const 0))
                (local.set $hit (i32.const 1))))))
        (local.set $j (i32.add (local.get $j) (i32.const 8)))
        (br_if $next (i32.lt_s (local.get $j) (local.get $end))))
      (br_if $again (local.get $hit))))

  ;; off where (q + Share) + t (w - Mean) < 0; whether there was any
  (func $once (param $x i32) (param $on i32) (param $q i32) (param $w i32) (param $n i32) (param $t f64) (result i32)
    (local $a v128) (local $c v128) (local $hit v128) (local $mean v128) (local $share v128) (local $by v128)
    (local.set $mean (v128.load64_splat offset=8 (local.get $x)))
    (local.set $share (v128.load64_splat offset=32 (local.get $x)))
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

  (func (export "project") (param $x i32) (param $on i32) (param $q i32) (param $w i32) (param $n i32) (param $t f64) (result i32)
    (local $any i32)
    (loop $again
      (if (call $once (local.get $x) (local.get $on) (local.get $q) (local.get $w) (local.get $n) (local.get $t))
        (then
          (local.set $any (i32.const 1))
          (call $moments (local.get $x) (local.get $on) (local.get $q) (local.get $w) (local.get $n))
          (br $again))))
    (local.get $any))

  ;; Σ (w - Mean)² where it is on
  (func (export "projectSpread") (param $x i32) (param $on i32) (param $w i32) (param $n i32) (result f64)
    (local $d v128) (local $sum v128) (local $mean v128)
    (local.set $mean (v128.load64_splat offset=8 (local.get $x)))
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

  (func (export "projectFill") (param $sums i32) (param $x i32) (param $p i32) (param $q i32) (param $w i32) (param $n i32) (param $t f64)
    (local $m v128) (local $y v128) (local $f v128) (local $u v128) (local $by v128) (local $mean v128) (local $share v128) (local $eta v128)
    (local $value v128) (local $linear v128) (local $square v128)
    (local.set $by (f64x2.splat (local.get $t)))
    (local.set $mean (v128.load64_splat offset=8 (local.get $x)))
    (local.set $share (v128.load64_splat offset=32 (local.get $x)))
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
    (f64.store (local.get $sums) (call $both (local.get $value)))
    (f64.store offset=8 (local.get $sums) (call $both (local.get $linear)))
    (f64.store offset=16 (local.get $sums) (call $both (local.get $square)))))
