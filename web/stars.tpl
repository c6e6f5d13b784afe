{{! stars.tpl: the drawings of stars, which other drawings use. }}<svg class="sprite" width="0" height="0" aria-hidden="true">
<path id="star" d="M10 1.9l2.5 5.1 5.6.8-4.05 3.95.95 5.6L10 14.7l-5 2.65.95-5.6L1.9 7.8l5.6-.8z" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round"/>
<g id="five"><use href="#star"/><use href="#star" x="22"/><use href="#star" x="44"/><use href="#star" x="66"/><use href="#star" x="88"/></g>
<symbol id="stars-1" viewBox="0 0 108 20"><use href="#five" fill="none"/><svg width="21"><use href="#five"/></svg></symbol>
<symbol id="stars-2" viewBox="0 0 108 20"><use href="#five" fill="none"/><svg width="43"><use href="#five"/></svg></symbol>
<symbol id="stars-3" viewBox="0 0 108 20"><use href="#five" fill="none"/><svg width="65"><use href="#five"/></svg></symbol>
<symbol id="stars-4" viewBox="0 0 108 20"><use href="#five" fill="none"/><svg width="87"><use href="#five"/></svg></symbol>
<symbol id="stars-5" viewBox="0 0 108 20"><use href="#five"/></symbol>
</svg>
